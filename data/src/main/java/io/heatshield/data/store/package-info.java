/** The guarded stores of a server, made from its settings, with their meters. */
@NullMarked
package io.heatshield.data.store;

import org.jspecify.annotations.NullMarked;
