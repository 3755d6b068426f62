/** Commands about hot keys, and who uses them and how. */
@NullMarked
package io.heatshield.data.command.hot;

import org.jspecify.annotations.NullMarked;
