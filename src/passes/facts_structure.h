/* facts_structure.h - facts from structure alone. */
#ifndef REMAT_PASSES_FACTS_STRUCTURE_H
#define REMAT_PASSES_FACTS_STRUCTURE_H

#include "passes/facts.h"

/* What OP's name and form alone say of it. */
void structure_facts(const struct ir_module *module, op_id op,
                     struct op_facts *facts);

#endif
