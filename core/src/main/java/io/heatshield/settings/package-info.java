/** The check of settings, which reports every fault at once. */
@NullMarked
package io.heatshield.settings;

import org.jspecify.annotations.NullMarked;
