/** The guarded stores of a server: opening, meters and health. */
@NullMarked
package io.heatshield.data.store;

import org.jspecify.annotations.NullMarked;
