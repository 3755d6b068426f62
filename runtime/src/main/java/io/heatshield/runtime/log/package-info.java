/** The log: text for a terminal, JSON for machines; input is escaped in both. */
@NullMarked
package io.heatshield.runtime.log;

import org.jspecify.annotations.NullMarked;
