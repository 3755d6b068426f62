/**
 * The log: plain lines for a terminal, JSON lines for machines, and no raw text from outside in
 * either.
 */
@NullMarked
package io.heatshield.runtime.log;

import org.jspecify.annotations.NullMarked;
