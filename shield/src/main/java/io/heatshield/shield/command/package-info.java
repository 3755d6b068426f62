/** The commands of the upstream: names, key positions, and what each means to a proxy. */
@NullMarked
package io.heatshield.shield.command;

import org.jspecify.annotations.NullMarked;
