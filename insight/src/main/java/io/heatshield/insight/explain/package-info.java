/** What is known about one key, why it is hot, and what to do about it; told alike to everyone. */
@NullMarked
package io.heatshield.insight.explain;

import org.jspecify.annotations.NullMarked;
