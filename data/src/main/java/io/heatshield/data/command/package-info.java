/** The commands of the data door: what each is called with, what it does, and what it answers. */
@NullMarked
package io.heatshield.data.command;

import org.jspecify.annotations.NullMarked;
