/** What every store engine keeps. */
@NullMarked
package io.heatshield.testkit.store;

import org.jspecify.annotations.NullMarked;
