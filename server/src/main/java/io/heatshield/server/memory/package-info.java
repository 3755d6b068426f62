/** The memory plan of a server: computed from its settings, fitted to the machine, and shown. */
@NullMarked
package io.heatshield.server.memory;

import org.jspecify.annotations.NullMarked;
