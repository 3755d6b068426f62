/** A recorded trace run through the detector and judged by exact counts. */
@NullMarked
package io.heatshield.replay;

import org.jspecify.annotations.NullMarked;
