/** Rate limits: what is asked, which rule applies, what was counted, and the verdict. */
@NullMarked
package io.heatshield.limit;

import org.jspecify.annotations.NullMarked;
