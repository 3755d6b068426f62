/** Tests of what the commands that only read show. */
@NullMarked
package io.heatshield.cli.view;

import org.jspecify.annotations.NullMarked;
