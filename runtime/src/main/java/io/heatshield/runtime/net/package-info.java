/** Event loops and listening ports. */
@NullMarked
package io.heatshield.runtime.net;

import org.jspecify.annotations.NullMarked;
