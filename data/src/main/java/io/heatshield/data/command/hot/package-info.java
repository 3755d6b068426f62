/** Commands about hot keys, and the statistics of their use. */
@NullMarked
package io.heatshield.data.command.hot;

import org.jspecify.annotations.NullMarked;
