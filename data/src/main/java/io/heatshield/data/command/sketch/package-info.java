/** Commands on sketches: count-min, top-k and cuckoo filters. */
@NullMarked
package io.heatshield.data.command.sketch;

import org.jspecify.annotations.NullMarked;
