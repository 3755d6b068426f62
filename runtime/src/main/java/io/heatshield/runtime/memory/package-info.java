/** The memory plan of a process: what its parts may take, compared with what the machine has. */
@NullMarked
package io.heatshield.runtime.memory;

import org.jspecify.annotations.NullMarked;
