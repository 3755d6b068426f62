/**
 * Structures that clients name and fill: filters, counters and lists behind the sketch commands.
 */
@NullMarked
package io.heatshield.structure;

import org.jspecify.annotations.NullMarked;
