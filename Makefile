# remat: the build.  `make` builds, `make check` runs every test, `make deps`
# installs what both need.  TARGET=NAME chooses the default target,
# B=DIR the build folder, V=1 shows commands.

B       ?= build
TARGET  ?= generic
CC      ?= cc
HOSTCC  ?= $(CC)
FLEX    ?= flex
BISON   ?= bison
FORMAT  ?= clang-format-19
CLANG   ?= clang-19
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
LLVM    ?= /usr/lib/llvm-19
PYTHON  ?= python3
Q       := $(if $(V),,@)

# Recipes that build run as many jobs as there are processors.  Goals of one
# command run in order, for `deps` must be done before anything is built.
SUBMAKE = $(MAKE) --no-print-directory --jobs=$(shell nproc 2>/dev/null || echo 1)
ifneq (,$(filter deps,$(MAKECMDGOALS)))
.NOTPARALLEL:
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wwrite-strings -Wvla $(WERROR)
# No contraction: a plan must not depend on whether the machine fuses a
# multiplication with an addition.
BASE     := -std=c11 -D_GNU_SOURCE -ffp-contract=off -fvisibility=hidden \
            -fPIC -Isrc -Iinclude -I$B/gen
COMPILE  = $(CC) $(BASE) $(WARNINGS) $(CFLAGS) $(CPPFLAGS) -MMD -MP
LIBS     := -lm -ldl

LAYERS   := support ir rules plan passes readers report session
RULESC   := $(wildcard src/rules/rulesc*.c)
SOURCES  := $(filter-out $(RULESC),$(wildcard $(LAYERS:%=src/%/*.c)))
DRIVER   := $(wildcard src/driver/*.c)
GRAMMAR  := $(if $(wildcard grammar/rules.y),rules.tab rules.lex)
TARGETS  := $(patsubst rules/%.rules,%,$(wildcard rules/*.rules))

object   = $(patsubst %.c,$B/%.o,$1)
BASE_OBJ := $(call object,$(wildcard src/support/*.c src/ir/*.c) \
              $(filter-out $(RULESC),$(wildcard src/rules/*.c))) \
            $(GRAMMAR:%=$B/gen/%.o)
LIB_OBJ  := $(call object,$(SOURCES)) $(GRAMMAR:%=$B/gen/%.o) \
            $(if $(RULESC),$(TARGETS:%=$B/gen/%-tables.o) $B/gen/targets.o)
UNITS    := $(patsubst tests/unit/%.c,$B/tests/%,$(wildcard tests/unit/check_*.c))
TOOLS    := $(patsubst tests/tools/%.c,$B/tests/%,$(wildcard tests/tools/*.c))

.SECONDARY:
.DELETE_ON_ERROR:
.PHONY: all check check-quick check-compilers check-sanitized check-format \
        check-symbols check-xla deps demo doc bench install clean format

all: $B/libremat.a $B/libremat.so $(if $(DRIVER),$B/remat) \
     $(if $(RULESC),$B/rulesc)

$B/%.o: %.c | generated
	@mkdir -p $(@D)
	$Q$(COMPILE) -c $< -o $@

# bison's own variables are not ours to use.
$B/gen/%.o: $B/gen/%.c | generated
	$Q$(COMPILE) -Wno-unused-but-set-variable -c $< -o $@

.PHONY: generated
generated: $(GRAMMAR:%=$B/gen/%.c)

$B/gen/rules.tab.c: grammar/rules.y
	@mkdir -p $(@D)
	$Q$(BISON) -Wall -Werror --defines=$B/gen/rules.tab.h -o $@ $<

$B/gen/rules.lex.c: grammar/rules.l $B/gen/rules.tab.c
	$Q$(FLEX) --header-file=$B/gen/rules.lex.h -o $@ $<

# Where a user's rules find the shipped ones.
$B/src/rules/include.o: CPPFLAGS += \
  -DREMAT_DATA_DIR='"$(PREFIX)/share/remat"'

# A target's tables are made by the rules compiler that was just built.
$B/rulesc: $(call object,$(RULESC)) $(BASE_OBJ)
	$Q$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$B/gen/%-tables.c: rules/%.rules $B/rulesc
	$Q$B/rulesc $< -o $@ --depend $B/gen/$*-rules.d --depend-target $@

# The list of targets changes only when a rules file comes or goes.
$B/gen/targets.c: $(wildcard rules/*.rules) $B/gen/target-$(TARGET).stamp
	$Q{ echo '#include "rules/rules.h"'; \
	  for t in $(TARGETS); do \
	    echo "extern const struct rules rules_table_$$t;"; done; \
	  echo 'const struct rules *const rules_builtin_tables[] = {'; \
	  for t in $(TARGETS); do echo "  &rules_table_$$t,"; done; \
	  echo '  0};'; \
	  echo 'const char *const rules_default_target = "$(TARGET)";'; } > $@

$B/gen/target-%.stamp:
	@mkdir -p $(@D)
	@rm -f $B/gen/target-*.stamp
	@touch $@

$B/libremat.a: $(LIB_OBJ)
	$Qrm -f $@; $(AR) rcs $@ $^

$B/libremat.so: $(LIB_OBJ)
	$Q$(CC) -shared $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$B/remat: $(call object,$(DRIVER)) $B/libremat.a
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS) -o $@

# --- tests ---

$B/tests/%: tests/unit/%.c $B/libremat.a
	@mkdir -p $(@D)
	$Q$(COMPILE) -Itests/unit $< $B/libremat.a $(LDFLAGS) $(LIBS) \
	  $$(pkg-config --libs check) -o $@

$B/tests/%: tests/tools/%.c $B/libremat.a
	@mkdir -p $(@D)
	$Q$(COMPILE) $< $B/libremat.a $(LDFLAGS) $(LIBS) -o $@

# Everything: layout, both compilers without warnings, sanitizers, and last the
# tests of the build itself, whose closing line counts them.
check: check-format
	$Q$(SUBMAKE) all
	$Q$(SUBMAKE) check-symbols
	$Q$(SUBMAKE) check-compilers
	$Q$(SUBMAKE) check-sanitized
	$Q$(SUBMAKE) check-quick

# The tests of this build alone.
check-quick: all $(UNITS) $(TOOLS)
	$Q$(PYTHON) tests/run.py $B $(LLVM) $(RUN)

check-compilers:
	$Q$(MAKE) --no-print-directory B=$B/gcc CC=gcc WERROR=-Werror all
	$Q$(MAKE) --no-print-directory B=$B/clang CC=$(CLANG) WERROR=-Werror all

# The leak checker is off: arenas live until the process ends on some paths
# of the driver, which is what they are for.
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
check-sanitized:
	$Q$(MAKE) --no-print-directory B=$B/sanitized CFLAGS="$(SANITIZE)" \
	  RUN=--sanitized check-quick

# XLA, through jaxlib in an environment of its own: the script of doc/guide.md,
# and, where the steps are there, a table of what comes out for them: XLA=... are
# options of tests/clients/xla_table.py.
CORPUS := ../shared/corpus/jax
check-xla:
	$Q$(SUBMAKE) all
	$Qif ! $(PYTHON) -m venv $B/xla || \
	  ! $B/xla/bin/pip -q install jax jaxlib; then \
	  echo "skipped: jax cannot be installed here"; exit 0; fi; \
	for budget in 50%temp 25%temp; do \
	  $B/xla/bin/python examples/jax_step.py $B/remat $$budget || exit 1; \
	done; \
	if test ! -d $(CORPUS); then \
	  echo "skipped: no steps in $(CORPUS)"; exit 0; fi; \
	$B/xla/bin/python tests/clients/xla_table.py $B/remat $(CORPUS) $(XLA)

check-symbols: $B/libremat.so
	$Qbad=$$(nm -D --defined-only $< | awk '{print $$3}' | \
	  grep -v '^remat_' || true); \
	  test -z "$$bad" || { echo "exported without remat_:"; echo "$$bad"; \
	  exit 1; }

check-format:
	$Q$(FORMAT) --dry-run --Werror $$(git ls-files '*.c' '*.h')

format:
	$Q$(FORMAT) -i $$(git ls-files '*.c' '*.h')

bench: all $(TOOLS)
	$Q$(PYTHON) tests/bench/run.py $B $(LLVM)

# Where does the memory of a real-sized training step go?
demo:
	$Q$(SUBMAKE) all
	$Q$B/remat --analyze examples/transformer_step.mlir

deps:
	$Qsh tests/install-deps.sh

# The lists of the manual are the driver's own, so they cannot be stale.
$B/remat.1: doc/remat.1.in doc/fill.awk $B/remat
	$Qawk -v remat=$B/remat -f doc/fill.awk $< > $@

doc: $B/remat.1

install: all doc
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib \
	  $(DESTDIR)$(PREFIX)/include/remat $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/remat
	install $B/remat $B/rulesc $(DESTDIR)$(PREFIX)/bin
	install -m 644 $B/libremat.a $B/libremat.so $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/remat/*.h $(DESTDIR)$(PREFIX)/include/remat
	install -m 644 $B/remat.1 doc/rulesc.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 doc/remat-rules.5 $(DESTDIR)$(PREFIX)/share/man/man5
	cp -R rules targets $(DESTDIR)$(PREFIX)/share/remat

clean:
	rm -rf $B

-include $(shell find $B -name '*.d' 2>/dev/null)
