/** The version of the build; its sub-packages have what every part of a process needs. */
@NullMarked
package io.heatshield.runtime;

import org.jspecify.annotations.NullMarked;
