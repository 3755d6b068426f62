/** Every pair of settings in one real server process: random commands, a kill, a reload. */
@NullMarked
package io.heatshield.cli.pairs;

import org.jspecify.annotations.NullMarked;
