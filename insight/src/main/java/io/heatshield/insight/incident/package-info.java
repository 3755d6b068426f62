/** Incidents: the periods in which keys were hot, with their causes. */
@NullMarked
package io.heatshield.insight.incident;

import org.jspecify.annotations.NullMarked;
