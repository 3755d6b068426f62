/** Keys as opaque bytes: the forms that callers pass them in, and their printable form. */
@NullMarked
package io.heatshield.key;

import org.jspecify.annotations.NullMarked;
