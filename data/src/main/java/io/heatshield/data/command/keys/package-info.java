/** Commands that read and write keys. */
@NullMarked
package io.heatshield.data.command.keys;

import org.jspecify.annotations.NullMarked;
