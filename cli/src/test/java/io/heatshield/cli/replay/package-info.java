/** Tests of what the commands on recorded traces share. */
@NullMarked
package io.heatshield.cli.replay;

import org.jspecify.annotations.NullMarked;
