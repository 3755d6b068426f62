/** Explanations of keys: usage, cause and recommendation. */
@NullMarked
package io.heatshield.insight.explain;

import org.jspecify.annotations.NullMarked;
