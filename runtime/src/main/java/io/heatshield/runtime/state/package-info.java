/** The folder for what a server keeps across restarts. */
@NullMarked
package io.heatshield.runtime.state;

import org.jspecify.annotations.NullMarked;
