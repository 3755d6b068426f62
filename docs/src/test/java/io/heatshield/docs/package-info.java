/** Tests that hold the tree to what the documents say about it. */
@NullMarked
package io.heatshield.docs;

import org.jspecify.annotations.NullMarked;
