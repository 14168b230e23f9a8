/* print.c - the rules of a file after includes, in normal form.
 *
 * One statement a line, in the order in which they apply; what an `override`
 * replaced is left out, so the text has no includes and no overrides and, when
 * printed again, is the same. */
#include "rules/print.h"

/* --- statements of blocks --- */

static void
put_items(struct printer *p, const struct item *items) {
  static const char *const kinds[] = {"class ", "op ", "dialect ", "format "};
  for (; items; items = items->next) {
    put(p, kinds[items->kind]);
    if (items->kind == ITEM_OP && items->format != ANY_FORMAT)
      put(p, items->format == FORMAT_HLO ? "hlo " : "mlir ");
    if (items->kind == ITEM_OP)
      put_string(p, items->name.text);
    else
      put_text(p, items->name.text);
    put(p, items->next ? ", " : "");
  }
}

static void
put_selector(struct printer *p, const struct selector *selector) {
  put(p, "  ");
  if (selector->is_default) {
    put(p, "default");
    return;
  }
  put_items(p, selector->items);
  if (!selector->when)
    return;
  put(p, selector->items ? " when " : "when ");
  put_node(p, selector->when);
}

static void
put_extra(struct printer *p, const char *word, const struct node *node) {
  if (!node)
    return;
  put(p, word);
  put_node(p, node);
}

static void
put_rule(struct printer *p, const struct statement *rule) {
  put_selector(p, rule->selector);
  switch (rule->action) {
  case ACTION_ALIAS:
    put(p, " = alias ");
    put_operand(p, rule->operand);
    break;
  case ACTION_FREE:
    put(p, " free");
    break;
  case ACTION_UNKNOWN:
    put(p, " unknown");
    break;
  case ACTION_NEVER:
  case ACTION_REFUSED:
    put(p, rule->action == ACTION_NEVER ? " never " : " refused ");
    put_string(p, rule->string.text);
    break;
  default:
    put_extra(p, rule->action == ACTION_COST ? " cost " : " = ",
              rule->expression);
    break;
  }
  put_extra(p, " workspace ", rule->workspace);
  put_extra(p, " carry ", rule->carry);
  put(p, ";\n");
}

static void
put_setting(struct printer *p, const struct statement *s) {
  if (s->kind == STATEMENT_STORAGE) {
    put(p, "  storage ");
    put_words(p, s->words, false);
    put_extra(p, " = ", s->expression);
  } else if (s->kind == STATEMENT_DYNAMIC) {
    put(p, s->refuses ? "  dynamic refuse" : "  dynamic");
    put_extra(p, s->fallback ? " dim = " : " = ", s->expression);
  } else if (s->kind == STATEMENT_ATTRIBUTE) {
    put(p, "  attribute ");
    put_words(p, s->words, true);
  } else {
    put(p, "  ");
    put_text(p, s->name.text);
    put_extra(p, " = ", s->expression);
  }
  put(p, ";\n");
}

static bool
same_kind_of_setting(const struct statement *a, const struct statement *b) {
  if (a->kind != b->kind || a->kind == STATEMENT_ATTRIBUTE)
    return false;
  if (a->kind == STATEMENT_THRESHOLD)
    return text_equal(a->name.text, b->name.text);
  return a->kind == STATEMENT_DYNAMIC;
}

/* Was SETTING, or all of it, replaced by one in an outer file? */
static bool
is_replaced(struct printer *p, enum statement_kind kind,
            const struct statement *setting) {
  for (uint32_t f = 0; f < p->c->files.count; f++)
    for (const struct statement *s = p->c->files.data[f]->statements; s;
         s = s->next)
      for (const struct statement *inner = s->kind == kind ? s->body : NULL;
           inner; inner = inner->next) {
        if (inner == setting)
          return false;
        if (same_kind_of_setting(inner, setting))
          return true;
      }
  return false;
}

/* Element types of a storage statement that no outer file set before. */
static void
drop_known_storage(struct statement *s, bool *known) {
  struct words **link = &s->words;
  while (*link) {
    enum dtype dtype = dtype_by_mlir((*link)->word.text);
    if (dtype == DTYPE_NONE)
      dtype = dtype_by_hlo((*link)->word.text);
    if (known[dtype] && dtype != DTYPE_NONE) {
      *link = (*link)->next;
      continue;
    }
    known[dtype] = true;
    link = &(*link)->next;
  }
}

/* All blocks of KIND as one: settings, rules, and the default that counts. */
static void
put_block(struct printer *p, enum statement_kind kind, const char *name) {
  const struct statement *found_default = NULL;
  bool known[DTYPE_COUNT] = {false}, any = false;
  for (uint32_t f = 0; f < p->c->files.count; f++)
    for (struct statement *s = p->c->files.data[f]->statements; s;
         s = s->next) {
      if (s->kind != kind)
        continue;
      if (!any)
        buffer_printf(p->out, "\n%s {\n", name);
      any = true;
      for (struct statement *inner = s->body; inner; inner = inner->next) {
        if (inner->kind == STATEMENT_RULE) {
          if (!inner->selector->is_default)
            put_rule(p, inner);
          else if (!found_default)
            found_default = inner;
          continue;
        }
        if (inner->kind == STATEMENT_STORAGE)
          drop_known_storage(inner, known);
        if (!is_replaced(p, kind, inner) &&
            (inner->kind != STATEMENT_STORAGE || inner->words))
          put_setting(p, inner);
      }
    }
  if (found_default)
    put_rule(p, found_default);
  put(p, any ? "}\n" : "");
}

/* --- statements of files --- */

static void
put_dialect(struct printer *p, const struct statement *s) {
  put(p, "\ndialect ");
  for (const struct words *w = s->words; w; w = w->next) {
    put_string(p, w->word.text);
    put(p, w->next ? ", " : "");
  }
  if (s->like.text.size) {
    put(p, " like ");
    put_string(p, s->like.text);
  }
  if (s->string.text.size) {
    put(p, " suffix ");
    put_string(p, s->string.text);
  }
  put(p, " {\n");
  for (const struct statement *op = s->body; op; op = op->next) {
    put(p, "  ");
    if (op->kind == STATEMENT_CLASS_OPS) {
      put(p, "class ");
      put_text(p, op->name.text);
      put(p, " ");
    } else {
      put(p, "op ");
    }
    put_words(p, op->words, true);
    put_when(p, op->expression);
    put_facts(p, op->facts);
    put(p, ";\n");
  }
  put(p, "}\n");
}

static void
put_points(struct printer *p, const struct node *points) {
  put(p, " curve ");
  for (const struct node *n = points; n; n = n->next->next) {
    put_node(p, n);
    put(p, ": ");
    put_node(p, n->next);
    put(p, n->next->next ? ", " : "");
  }
}

static void
put_figures(struct printer *p, const struct statement *body,
            const char *indent) {
  for (const struct statement *s = body; s; s = s->next) {
    put(p, indent);
    if (s->kind == STATEMENT_DOMAIN) {
      put(p, "domain ");
      put_text(p, s->name.text);
      put(p, " {\n");
      put_figures(p, s->body, "    ");
      put(p, "  }\n");
      continue;
    }
    if (s->kind == STATEMENT_SOURCE) {
      put(p, "source ");
      put_string(p, s->string.text);
    } else if (s->kind == STATEMENT_FEATURES) {
      put(p, "features ");
      put_words(p, s->words, false);
    } else {
      put_text(p, s->name.text);
      put(p, s->fallback ? " default" : s->words ? " " : "");
      put_words(p, s->words, false);
      if (s->kind == STATEMENT_CURVE)
        put_points(p, s->expression);
      else
        put_extra(p, " = ", s->expression);
    }
    put(p, ";\n");
  }
}

static void
put_device(struct printer *p, const struct statement *s) {
  put(p, "\ndevice ");
  put_text(p, s->name.text);
  if (s->string.text.data) {
    put(p, " ");
    put_string(p, s->string.text);
  }
  if (s->like.text.size) {
    put(p, " like ");
    put_text(p, s->like.text);
  }
  put(p, " {\n");
  put_figures(p, s->body, "  ");
  put(p, "}\n");
}

static void
put_type_list(struct printer *p, const struct type_text *types) {
  put(p, "(");
  for (; types; types = types->next) {
    put_text(p, types->word.text);
    put(p, types->next ? ", " : "");
  }
  put(p, ")");
}

static void
put_measured(struct printer *p, const struct statement *s) {
  put(p, "\nmeasured ");
  put_text(p, s->name.text);
  put(p, " ");
  put_string(p, s->string.text);
  put(p, " {\n");
  for (const struct statement *row = s->body; row; row = row->next) {
    put(p, "  ");
    put_string(p, row->name.text);
    put(p, " ");
    if (row->words) {
      put_words(p, row->words, false);
      put(p, " ");
      put_node(p, row->workspace);
    } else {
      put_type_list(p, row->signature.operands);
      put(p, " -> ");
      put_type_list(p, row->signature.results);
    }
    put_extra(p, " = ", row->expression);
    put(p, ";\n");
  }
  put(p, "}\n");
}

static void
put_check(struct printer *p, const struct check *check) {
  switch (check->kind) {
  case CHECK_EXPRESSION:
    put_node(p, check->expression);
    break;
  case CHECK_WITHIN:
    put_node(p, check->expression);
    put_extra(p, " within ", check->share);
    put_extra(p, " of ", check->wanted);
    break;
  case CHECK_CLASS:
    put(p, "class ");
    put_text(p, check->word.text);
    break;
  case CHECK_RECOMPUTABLE:
    put(p, check->negated ? "not recomputable" : "recomputable");
    break;
  case CHECK_ALIAS:
    put(p, "alias ");
    put_operand(p, check->operand);
    break;
  default:
    put(p, check->kind == CHECK_NEVER  ? "never"
           : check->kind == CHECK_FREE ? "free"
                                       : "unknown");
    break;
  }
}

static void
put_expect(struct printer *p, const struct statement *s) {
  put(p, s->format == FORMAT_HLO    ? "expect op hlo "
         : s->format == FORMAT_MLIR ? "expect op mlir "
                                    : "expect op ");
  put_string(p, s->name.text);
  put(p, " ");
  put_type_list(p, s->signature.operands);
  put(p, " -> ");
  put_type_list(p, s->signature.results);
  if (s->attributes.end > s->attributes.begin) {
    put(p, " ");
    put_text(
        p, source_text(s->attributes.source,
                       (struct span){s->attributes.begin, s->attributes.end}));
  }
  put(p, s->words ? " on " : "");
  put_words(p, s->words, false);
  put(p, ": ");
  for (const struct check *check = s->checks; check; check = check->next) {
    put_check(p, check);
    put(p, check->next ? ", " : ";\n");
  }
}

static void
put_let(struct printer *p, const struct statement *s) {
  struct let *let = find_let(p->c, s->name.text);
  if (!let || let->statement != s)
    return;
  put(p, "let ");
  put_text(p, s->name.text);
  put_extra(p, " = ", s->expression);
  put(p, ";\n");
}

static void
put_class(struct printer *p, const struct statement *s) {
  put(p, "class ");
  put_text(p, s->name.text);
  if (s->like.text.size) {
    put(p, " like ");
    put_text(p, s->like.text);
  }
  put(p, " ");
  put_string(p, s->string.text);
  put_facts(p, s->facts);
  put(p, ";\n");
}

/* Every statement of KIND in all files. */
static void
put_all(struct printer *p, enum statement_kind kind,
        void (*put_one)(struct printer *p, const struct statement *s)) {
  for (uint32_t f = 0; f < p->c->files.count; f++)
    for (const struct statement *s = p->c->files.data[f]->statements; s;
         s = s->next)
      if (s->kind == kind)
        put_one(p, s);
}

static void
put_target(struct printer *p) {
  const struct statement *target = p->c->target;
  if (target) {
    put(p, "target ");
    put_text(p, target->name.text);
    put(p, " ");
    put_string(p, target->string.text);
    put(p, ";\n");
  }
  if (p->c->default_device) {
    put(p, "default device ");
    put_text(p, p->c->default_device->name.text);
    put(p, ";\n");
  }
}

void
print_rules(struct compilation *c, struct buffer *out) {
  struct printer printer = {c, out}, *p = &printer;
  put(p, "rules 1;\n");
  put_target(p);
  put_all(p, STATEMENT_LET, put_let);
  put_all(p, STATEMENT_CLASS, put_class);
  put_all(p, STATEMENT_DIALECT, put_dialect);
  put_all(p, STATEMENT_DEVICE, put_device);
  put_all(p, STATEMENT_MEASURED, put_measured);
  put_block(p, STATEMENT_MEMORY, "memory");
  put_block(p, STATEMENT_RECOMPUTE, "recompute");
  put_block(p, STATEMENT_FUSION, "fusion");
  put_all(p, STATEMENT_EXPECT, put_expect);
}
