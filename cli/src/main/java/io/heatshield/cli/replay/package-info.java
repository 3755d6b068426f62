/** What the commands on recorded traces share: their options, their progress, their files. */
@NullMarked
package io.heatshield.cli.replay;

import org.jspecify.annotations.NullMarked;
