// Takes a lock.
extern "C" int pthread_mutex_lock(void*);

int offend(void* mutex) { return pthread_mutex_lock(mutex); }
// SPDX-License-Identifier: Apache-2.0
