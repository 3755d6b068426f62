/** Load on a Redis, direct, through the shield and through a bare relay. */
@NullMarked
package io.heatshield.bench.shield;

import org.jspecify.annotations.NullMarked;
