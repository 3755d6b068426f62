/** The ledger of what was saved: by mechanism and scope, since the start and by day, in money. */
@NullMarked
package io.heatshield.insight.savings;

import org.jspecify.annotations.NullMarked;
