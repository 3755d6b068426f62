/** What the commands that only read show, as people and programs want it. */
@NullMarked
package io.heatshield.cli.view;

import org.jspecify.annotations.NullMarked;
