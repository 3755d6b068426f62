/** Scripts, and the outcomes of their calls. */
@NullMarked
package io.heatshield.redis.script;

import org.jspecify.annotations.NullMarked;
