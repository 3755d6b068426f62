/** The history of hot keys. */
@NullMarked
package io.heatshield.insight.history;

import org.jspecify.annotations.NullMarked;
