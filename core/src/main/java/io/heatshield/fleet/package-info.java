/** What many processes count together: their snapshots, and the one answer that is made of them. */
@NullMarked
package io.heatshield.fleet;

import org.jspecify.annotations.NullMarked;
