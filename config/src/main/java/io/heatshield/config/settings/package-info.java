/** The settings as records: every key of the file, with its default, bounds and meaning. */
@NullMarked
package io.heatshield.config.settings;

import org.jspecify.annotations.NullMarked;
