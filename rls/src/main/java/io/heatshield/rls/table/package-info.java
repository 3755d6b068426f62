/** The tables of the busiest clients: what feeds them, the rules they are held to, and blocks. */
@NullMarked
package io.heatshield.rls.table;

import org.jspecify.annotations.NullMarked;
