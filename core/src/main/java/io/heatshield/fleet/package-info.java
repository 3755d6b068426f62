/** Merges the counts of many processes: their snapshots, and the view of the whole fleet. */
@NullMarked
package io.heatshield.fleet;

import org.jspecify.annotations.NullMarked;
