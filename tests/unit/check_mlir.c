/* check_mlir.c - types, attributes and spellings of MLIR text.
 *
 * Types are read as the result of a declaration, attributes from the last op
 * of a text; sizes are worked out by hand. */
#include "readers/reader.h"
#include "support/buffer.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

struct reading {
  struct arena arena;
  struct source source;
  struct diagnostics diagnostics;
  struct ir_module *module;
};

static void
read_text(struct reading *reading, const char *text) {
  static const struct reader_options options = {.format = "mlir"};
  memset(reading, 0, sizeof *reading);
  source_from_text(&reading->source, "test", text, (uint32_t)strlen(text));
  reading->module = reader_read(&reading->arena, &reading->source, &options,
                                &reading->diagnostics);
}

static void
forget(struct reading *reading) {
  arena_empty(&reading->arena);
  source_close(&reading->source);
}

START_TEST(test_types) {
  static const struct {
    const char *spelling;
    enum type_kind kind;
    enum dtype dtype;
    uint32_t rank, space;
    bool dynamic;
    uint64_t elements, bytes;
  } cases[] = {
      {"tensor<2x3xf32>", TYPE_TENSOR, DTYPE_F32, 2, 0, false, 6, 24},
      {"tensor<f64>", TYPE_TENSOR, DTYPE_F64, 0, 0, false, 1, 8},
      {"tensor<0x4xi32>", TYPE_TENSOR, DTYPE_I32, 2, 0, false, 0, 0},
      {"tensor<5xi1>", TYPE_TENSOR, DTYPE_I1, 1, 0, false, 5, 5},
      {"tensor<5xi4>", TYPE_TENSOR, DTYPE_I4, 1, 0, false, 5, 3},
      {"tensor<3xf8E4M3FN>", TYPE_TENSOR, DTYPE_F8E4M3FN, 1, 0, false, 3, 3},
      {"tensor<2xcomplex<f32>>", TYPE_TENSOR, DTYPE_C64, 1, 0, false, 2, 16},
      {"tensor<2xcomplex<bf16>>", TYPE_TENSOR, DTYPE_OTHER, 1, 0, false, 2, 8},
      {"tensor<4xsi16>", TYPE_TENSOR, DTYPE_I16, 1, 0, false, 4, 8},
      {"tensor<2xi48>", TYPE_TENSOR, DTYPE_OTHER_INTEGER, 1, 0, false, 2, 12},
      {"tensor<?x4xf32>", TYPE_TENSOR, DTYPE_F32, 2, 0, true, 4, 0},
      {"tensor<*xf32>", TYPE_TENSOR, DTYPE_F32, 0, 0, true, 1, 0},
      {"tensor<4xf32, #x.y<a = [1, 2], b = \"z>\">>", TYPE_TENSOR, DTYPE_F32, 1,
       0, false, 4, 16},
      {"tensor<2x!quant.uniform<i8:f32, 0.5:-1>>", TYPE_TENSOR, DTYPE_QUANTIZED,
       1, 0, false, 2, 2},
      {"memref<4x8xf16>", TYPE_MEMREF, DTYPE_F16, 2, 0, false, 32, 64},
      {"memref<4xf32, 1>", TYPE_MEMREF, DTYPE_F32, 1, 1, false, 4, 16},
      {"memref<4xf32, strided<[1], offset: 2>, 5 : i32>", TYPE_MEMREF,
       DTYPE_F32, 1, 5, false, 4, 16},
      {"memref<4xf32, #gpu.address_space<workgroup>>", TYPE_MEMREF, DTYPE_F32,
       1, 3, false, 4, 16},
      {"memref<2x!ttcore.tile<32x32, bf16>, #l1>", TYPE_MEMREF, DTYPE_OTHER, 1,
       0, false, 2, 4096},
      {"vector<4x8xf32>", TYPE_VECTOR, DTYPE_F32, 2, 0, false, 32, 128},
      {"vector<[4]xf32>", TYPE_VECTOR, DTYPE_F32, 1, 0, true, 1, 0},
      {"tuple<tensor<2xf32>, tuple<tensor<3xi8>>>", TYPE_TUPLE, DTYPE_NONE, 0,
       0, false, 1, 11},
      {"tuple<>", TYPE_TUPLE, DTYPE_NONE, 0, 0, false, 1, 0},
      {"i32", TYPE_SCALAR, DTYPE_I32, 0, 0, false, 1, 0},
      {"index", TYPE_SCALAR, DTYPE_INDEX, 0, 0, false, 1, 0},
      {"none", TYPE_TOKEN, DTYPE_NONE, 0, 0, false, 1, 0},
      {"!stablehlo.token", TYPE_TOKEN, DTYPE_NONE, 0, 0, false, 1, 0},
      {"!torch.vtensor<[4,17],f32>", TYPE_TENSOR, DTYPE_F32, 2, 0, false, 68,
       272},
      {"!torch.vtensor<[?,17],si64>", TYPE_TENSOR, DTYPE_I64, 2, 0, true, 17,
       0},
      {"!torch.vtensor<[],f32>", TYPE_TENSOR, DTYPE_F32, 0, 0, false, 1, 4},
      {"!torch.tensor", TYPE_TENSOR, DTYPE_OTHER, 0, 0, true, 1, 0},
      {"!vhlo.tensor_v1<64x2x!vhlo.bf16_v1>", TYPE_TENSOR, DTYPE_BF16, 2, 0,
       false, 128, 256},
      {"!vhlo.tensor_v1<4x!vhlo.bool_v1>", TYPE_TENSOR, DTYPE_I1, 1, 0, false,
       4, 4},
      {"!x.opaque<1, [2]>", TYPE_UNKNOWN, DTYPE_NONE, 0, 0, false, 1, 0},
      {"tensor<4x!x.opaque>", TYPE_UNKNOWN, DTYPE_OTHER, 1, 0, false, 1, 0},
      {"!alias", TYPE_TENSOR, DTYPE_F32, 1, 0, false, 7, 28},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct reading reading;
    char text[256];
    snprintf(text, sizeof text,
             "!alias = tensor<7xf32>\n"
             "func.func private @f() -> (%s)\n",
             cases[i].spelling);
    read_text(&reading, text);
    ck_assert_msg(reading.module, "%s", cases[i].spelling);
    const struct type *type =
        type_get(reading.module->types,
                 reading.module->functions.data[0].result_types[0]);
    ck_assert_msg(type->kind == cases[i].kind && type->dtype == cases[i].dtype,
                  "%s", cases[i].spelling);
    ck_assert_msg(type->rank == cases[i].rank &&
                      type->memory_space == cases[i].space &&
                      type->dynamic == cases[i].dynamic,
                  "%s", cases[i].spelling);
    ck_assert_msg(
        type->elements == cases[i].elements && type->bytes == cases[i].bytes,
        "%s: %llu elements, %llu bytes", cases[i].spelling,
        (unsigned long long)type->elements, (unsigned long long)type->bytes);
    forget(&reading);
  }
}
END_TEST

START_TEST(test_attributes) {
  static const char *const ops[] = {
      "\"x.y\"(%a) <{k = [1, 2], n = \"b, c = 1\"}> {u, \"q.r\" = -3 : i32} "
      ": (f32) -> ()",
      "x.y %a, k = [1, 2], n = \"b, c = 1\" {u, q.r = -3 : i32} : f32",
      "x.y %a {k = [1, 2], n = \"b, c = 1\", u, q.r = -3 : i32} : f32",
      "\"x.y\"(%a) ({\n\"x.z\"() {k = 7, v = 1} : () -> ()\n}) {k = [1, 2], n "
      "= "
      "\"b, c = 1\", u, q.r = -3 : i32} : (f32) -> ()",
      "x.y %a {d = #x.d<k = [1, 2], n = \"b, c = 1\", u, q.r = -3 : i32>} : "
      "f32",
      "\"x.y\"(%a) <{k = #vhlo.array_v1<[1, 2]>, n = #vhlo.string_v1<\"b, c = "
      "1\">, u, q.r = #vhlo.integer_v1<-3 : i32>}> : (f32) -> ()",
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    struct reading reading;
    struct text value;
    int64_t number;
    char text[512];
    snprintf(text, sizeof text, "func.func @f(%%a: f32) {\n  %s\n  return\n}\n",
             ops[i]);
    read_text(&reading, text);
    const struct ir_module *m = reading.module;
    ck_assert_msg(m, "%s", ops[i]);
    ck_assert_msg(ir_attribute(m, 1, "k", &value) && text_is(value, "[1, 2]"),
                  "%s", ops[i]);
    ck_assert_msg(ir_attribute(m, 1, "n", &value) &&
                      text_is(value, "\"b, c = 1\""),
                  "%s", ops[i]);
    ck_assert_msg(ir_attribute(m, 1, "u", &value) && value.size == 0, "%s",
                  ops[i]);
    ck_assert_msg(ir_attribute_integer(m, 1, "q.r", &number) && number == -3,
                  "%s", ops[i]);
    ck_assert_msg(!ir_attribute(m, 1, "c", &value), "%s", ops[i]);
    ck_assert_msg(!ir_attribute(m, 1, "v", &value), "%s", ops[i]);
    forget(&reading);
  }
}
END_TEST

START_TEST(test_header_values) {
  static const char text[] =
      "func.func @f(%a: f32) {\n"
      "  %0 = s.dot %a, %a, batching_dims = [0] x [1], contracting_dims = [2] "
      "x [1], p = [DEFAULT] : (f32, f32) -> f32\n"
      "  %1 = s.conv(%a, %a) dim_numbers = [b, f]x[o, i]->[b, f], window = "
      "{stride = [2], pad = [[1, 1]]} {g = 1 : i64} : (f32, f32) -> f32\n"
      "  %2 = s.custom_call @target(%a) {backend_config = \"\"} : (f32) -> "
      "f32\n"
      "  return\n}\n";
  static const struct {
    op_id op;
    const char *key, *value;
  } cases[] = {
      {1, "batching_dims", "[0] x [1]"},
      {1, "contracting_dims", "[2] x [1]"},
      {1, "p", "[DEFAULT]"},
      {2, "dim_numbers", "[b, f]x[o, i]->[b, f]"},
      {2, "window", "{stride = [2], pad = [[1, 1]]}"},
      {2, "g", "1 : i64"},
      {3, "call_target_name", "target"},
      {3, "backend_config", "\"\""},
  };
  struct reading reading;
  read_text(&reading, text);
  ck_assert(reading.module);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text value;
    ck_assert_msg(
        ir_attribute(reading.module, cases[i].op, cases[i].key, &value) &&
            text_is(value, cases[i].value),
        "%s", cases[i].key);
  }
  forget(&reading);
}
END_TEST

START_TEST(test_cut) {
  static const struct {
    const char *op, *without; /* KEY taken out */
  } cases[] = {
      {"x.y %a {k} : f32", "x.y %a : f32"},
      {"x.y %a {k = 1, b} : f32", "x.y %a {b} : f32"},
      {"x.y %a {b, k = [1, 2]} : f32", "x.y %a {b} : f32"},
      {"x.y %a {b, k, c} : f32", "x.y %a {b, c} : f32"},
      {"x.y %a attributes {k} : f32", "x.y %a : f32"},
      {"\"x.y\"(%a) <{b}> {\"k\" = 1} : (f32) -> ()",
       "\"x.y\"(%a) <{b}> : (f32) -> ()"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct reading reading;
    struct span cut;
    char text[256], got[256];
    snprintf(text, sizeof text, "func.func @f(%%a: f32) {\n  %s\n  return\n}\n",
             cases[i].op);
    read_text(&reading, text);
    const struct ir_module *m = reading.module;
    ck_assert(m);
    struct span op = m->op_text[1];
    ck_assert(m->format->cut(m, op, TEXT("k"), &cut));
    snprintf(got, sizeof got, "%.*s%.*s", (int)(cut.begin - op.begin),
             text + op.begin, (int)(op.end - cut.end), text + cut.end);
    ck_assert_str_eq(got, cases[i].without);
    ck_assert(!m->format->cut(m, op, TEXT("a"), &cut));
    forget(&reading);
  }
}
END_TEST

START_TEST(test_annotate) {
  static const struct {
    const char *head, *annotated;
  } cases[] = {
      {"func.func @f()", "func.func @f() attributes {a.b = 1 : i64, a.c}"},
      {"func.func @f() -> (f32 {x}) attributes {d, a.b = 7}",
       "func.func @f() -> (f32 {x}) attributes {a.b = 1 : i64, a.c, d}"},
  };
  static const struct ir_annotation added[] = {{0, "a.b", "1 : i64"},
                                               {0, "a.c", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct reading reading;
    char text[256];
    snprintf(text, sizeof text, "%s {\n  x.y\n}\n", cases[i].head);
    read_text(&reading, text);
    const struct ir_module *m = reading.module;
    ck_assert(m);
    struct span place = m->functions.data[0].attributes;
    struct buffer out = {.arena = &reading.arena};
    buffer_add(&out, text, place.begin);
    m->format->annotate(&out, m, 0, added, 2);
    buffer_add(&out, text + place.end, strlen(cases[i].head) - place.end);
    ck_assert_str_eq(buffer_finish(&out), cases[i].annotated);
    forget(&reading);
  }
}
END_TEST

START_TEST(test_copies) {
  static const struct {
    const char *name;
    uint32_t copy;
    const char *spelling;
  } cases[] = {
      {"%v7", 1, "%v7_remat"},
      {"%v7", 2, "%v7_remat2"},
      {"%0", 1, "%v0_remat"},
      {"%12", 3, "%v12_remat3"},
      {"%a-b.c$", 1, "%a-b.c$_remat"},
      {"@f", 2, "@f_remat2"},
      {"@\"a b\"", 1, "@\"a b_remat\""},
  };
  struct reading reading;
  read_text(&reading, "func.func @f(%v7_remat: f32) {\n  return\n}\n");
  const struct ir_module *m = reading.module;
  ck_assert(m);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct buffer out = {.arena = &reading.arena};
    m->format->spell_copy(&out, text_of(cases[i].name), cases[i].copy);
    ck_assert_str_eq(buffer_finish(&out), cases[i].spelling);
  }
  ck_assert(ir_name_taken(m, TEXT("%v7_remat")));
  ck_assert(!ir_name_taken(m, TEXT("%v7_remat2")));
  forget(&reading);
}
END_TEST

START_TEST(test_structure) {
  static const char text[] =
      "module attributes {mhlo.num_partitions = 4 : i32} {\n"
      "  func.func private @g(%a: i1, %b: f32) -> f32 {\n"
      "    cf.cond_br %a, ^bb1(%b : f32), ^bb2\n"
      "  ^bb1(%c: f32):\n"
      "    return %c : f32\n"
      "  ^bb2:\n"
      "    cf.br ^bb1(%b : f32)\n"
      "  }\n"
      "  func.func @h(%a: i1, %b: f32) -> f32 {\n"
      "    %0 = call @g(%a, %b) : (i1, f32) -> f32\n"
      "    %1 = arith.negf %0 {remat.recompute} : f32\n"
      "    return %1 : f32\n"
      "  }\n"
      "}\n";
  struct reading reading;
  read_text(&reading, text);
  const struct ir_module *m = reading.module;
  uint32_t count;
  ck_assert(m);
  ck_assert_uint_eq(m->partitions, 4);
  ck_assert_uint_eq(m->functions.count, 2);
  ck_assert(!m->functions.data[0].entry && m->functions.data[1].entry);
  /* 0 module, 1 g, 2 cond_br, 3 return, 4 br, 5 h, 6 call, 7 negf, 8 return */
  const struct ir_successor *edges = ir_op_successors(m, 2, &count);
  ck_assert_uint_eq(count, 2);
  ck_assert_uint_eq(edges[0].first_use, 1);
  ck_assert_uint_eq(edges[0].use_count, 1);
  ck_assert_uint_eq(edges[1].use_count, 0);
  ck_assert_uint_eq(edges[0].block, m->op_block[3]);
  ck_assert_uint_eq(edges[1].block, m->op_block[4]);
  const struct ir_call *calls = ir_op_calls(m, 6, &count);
  ck_assert_uint_eq(count, 1);
  ck_assert_uint_eq(calls[0].callee, 0);
  ck_assert_int_eq(calls[0].role, CALL_FLOW);
  ck_assert_uint_eq(m->op_flags[0], OP_MODULE | OP_ISOLATED);
  ck_assert_uint_eq(m->op_flags[1], OP_FUNCTION | OP_ISOLATED);
  ck_assert_uint_eq(m->op_flags[7], OP_HAS_MARKS);
  ck_assert_uint_eq(m->op_flags[8], OP_TERMINATOR);
  ck_assert_uint_eq(m->op_flags[4], OP_TERMINATOR);
  forget(&reading);
}
END_TEST

UNIT_MAIN("mlir", test_types, test_attributes, test_header_values, test_cut,
          test_annotate, test_copies, test_structure)
