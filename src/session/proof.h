/* proof.h - the last proof, of the text itself. */
#ifndef REMAT_SESSION_PROOF_H
#define REMAT_SESSION_PROOF_H

#include "session/session.h"

/* Does what SESSION is going to print read as what it means?  False after an
 * internal error was diagnosed. */
bool session_prove_text(struct session *session);

#endif
