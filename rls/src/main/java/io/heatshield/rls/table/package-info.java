/** Tables of the busiest clients, with their rules and blocks. */
@NullMarked
package io.heatshield.rls.table;

import org.jspecify.annotations.NullMarked;
