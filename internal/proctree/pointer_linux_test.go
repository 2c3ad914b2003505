// Needed by the helpers that live on raw system calls.

package proctree

import "unsafe"

func pointer[T any](value *T) uintptr { return uintptr(unsafe.Pointer(value)) }
