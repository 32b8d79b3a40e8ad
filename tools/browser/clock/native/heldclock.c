/* A clock that can be held, stepped and paced, for every process it is preloaded into.
 *
 * All processes of one stage (browser, sound server, recorder, display) map one control page read-only. It says how app time follows
 * from the machine's monotonic clock:
 *
 *     app_monotonic = base_app + (real_monotonic - base_real) * rate          rate 0: stands still; never past `limit_app`
 *     app_realtime  = app_monotonic + realtime_offset
 *
 * A rate that rises does so along a ramp, so that nobody who has just looked at the clock sleeps past his deadline.
 *
 * Reading a clock is computed from that. Waiting is done in slices of real time, re-computed after each slice, so that a hold, a
 * release or another pace takes effect at once in every waiter. Waits without a time limit are passed through untouched.
 *
 * Only system calls that Chromium's seccomp sandbox allows in renderers are used. CPU-time clocks are left alone.
 * Without ASSAY_CLOCK in the environment, or if the page can't be mapped, the library does nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000LL
#define FAR_SLICE_NS 20000000LL /* longest real wait before app time is looked at again */
#define NEAR_SLICE_NS 8000000LL /* the same for deadlines that a rise of the rate could bring within the longer one */
#define NEAR_NS 400000000LL
#define ONE (1LL << 32)
#define EXPORT __attribute__((visibility("default")))

struct control {
    _Atomic uint32_t sequence; /* odd while the writer is at work */
    uint32_t version;
    _Atomic int64_t from_rate; /* rate at base_real, in units of 2^-32; ONE is real time, 0 stands still */
    _Atomic int64_t rate;      /* rate from the end of the ramp on */
    _Atomic int64_t ramp_ns;   /* real time the rate takes from the first to the second; 0: none */
    _Atomic int64_t ramp_app_ns; /* app time that passes meanwhile */
    _Atomic int64_t base_real_ns;
    _Atomic int64_t base_app_ns;
    _Atomic int64_t limit_app_ns;
    _Atomic int64_t realtime_offset_ns;
};

struct reading {
    int64_t from_rate, rate, ramp_ns, ramp_app_ns, base_real_ns, base_app_ns, limit_app_ns, realtime_offset_ns;
};

static const struct control *page;

/* ---- the writer's side, called by the process that governs the clock (through ctypes) ---- */

EXPORT void assay_clock_write(struct control *to, const struct reading *what) {
    uint32_t before = atomic_load_explicit(&to->sequence, memory_order_relaxed);
    atomic_store_explicit(&to->sequence, before + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    to->version = 2;
    atomic_store_explicit(&to->from_rate, what->from_rate, memory_order_relaxed);
    atomic_store_explicit(&to->rate, what->rate, memory_order_relaxed);
    atomic_store_explicit(&to->ramp_ns, what->ramp_ns, memory_order_relaxed);
    atomic_store_explicit(&to->ramp_app_ns, what->ramp_app_ns, memory_order_relaxed);
    atomic_store_explicit(&to->base_real_ns, what->base_real_ns, memory_order_relaxed);
    atomic_store_explicit(&to->base_app_ns, what->base_app_ns, memory_order_relaxed);
    atomic_store_explicit(&to->limit_app_ns, what->limit_app_ns, memory_order_relaxed);
    atomic_store_explicit(&to->realtime_offset_ns, what->realtime_offset_ns, memory_order_relaxed);
    atomic_store_explicit(&to->sequence, before + 2, memory_order_release);
}

/* ---- the real functions ---- */

#define REAL(name) static __typeof__(name) *real_##name
REAL(clock_gettime);
REAL(clock_nanosleep);
REAL(epoll_wait);
REAL(epoll_pwait);
REAL(nanosleep);
REAL(poll);
REAL(ppoll);
REAL(pselect);
REAL(pthread_cond_clockwait);
REAL(pthread_cond_timedwait);
REAL(select);
REAL(sem_clockwait);
REAL(sem_timedwait);
REAL(timerfd_settime);

static void find_real(void) {
#define FIND(name) real_##name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
    FIND(clock_gettime);
    FIND(clock_nanosleep);
    FIND(epoll_wait);
    FIND(epoll_pwait);
    FIND(nanosleep);
    FIND(poll);
    FIND(ppoll);
    FIND(pselect);
    FIND(pthread_cond_clockwait);
    FIND(select);
    FIND(sem_clockwait);
    FIND(sem_timedwait);
    FIND(timerfd_settime);
    /* dlsym gives the oldest version of this one, which has another layout of pthread_cond_t. */
#ifdef __x86_64__
    real_pthread_cond_timedwait = (__typeof__(pthread_cond_timedwait) *)dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
#endif
    if (!real_pthread_cond_timedwait) FIND(pthread_cond_timedwait);
}

__attribute__((constructor)) static void begin(void) {
    find_real();
    const char *path = getenv("ASSAY_CLOCK");
    if (!path) return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED) page = mapped;
}

/* ---- reading ---- */

static int64_t to_ns(const struct timespec *t) { return (int64_t)t->tv_sec * NS + t->tv_nsec; }

static void from_ns(int64_t ns, struct timespec *t) {
    if (ns < 0) ns = 0;
    t->tv_sec = ns / NS;
    t->tv_nsec = ns % NS;
}

static int read_real(clockid_t clock, struct timespec *t) {
    /* Before the constructor ran (other libraries' constructors read clocks) there is no pointer yet. */
    return real_clock_gettime ? real_clock_gettime(clock, t) : (int)syscall(SYS_clock_gettime, clock, t);
}

static int64_t real_ns(clockid_t clock) {
    struct timespec t;
    read_real(clock, &t);
    return to_ns(&t);
}

static struct reading look(void) {
    struct reading r;
    for (;;) {
        uint32_t before = atomic_load_explicit(&page->sequence, memory_order_acquire);
        if (before & 1) continue;
        r.from_rate = atomic_load_explicit(&page->from_rate, memory_order_relaxed);
        r.rate = atomic_load_explicit(&page->rate, memory_order_relaxed);
        r.ramp_ns = atomic_load_explicit(&page->ramp_ns, memory_order_relaxed);
        r.ramp_app_ns = atomic_load_explicit(&page->ramp_app_ns, memory_order_relaxed);
        r.base_real_ns = atomic_load_explicit(&page->base_real_ns, memory_order_relaxed);
        r.base_app_ns = atomic_load_explicit(&page->base_app_ns, memory_order_relaxed);
        r.limit_app_ns = atomic_load_explicit(&page->limit_app_ns, memory_order_relaxed);
        r.realtime_offset_ns = atomic_load_explicit(&page->realtime_offset_ns, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (before == atomic_load_explicit(&page->sequence, memory_order_relaxed)) return r;
    }
}

/* The same arithmetic as in held.py, to the nanosecond. */
static int64_t app_after(const struct reading *r, int64_t elapsed) {
    if (elapsed < 0) elapsed = 0;
    if (elapsed < r->ramp_ns) {
        __int128 rise = (__int128)(r->rate - r->from_rate) * elapsed * elapsed / (2 * r->ramp_ns);
        return r->base_app_ns + (int64_t)(((__int128)r->from_rate * elapsed + rise) >> 32);
    }
    return r->base_app_ns + r->ramp_app_ns + (int64_t)(((__int128)r->rate * (elapsed - r->ramp_ns)) >> 32);
}

static int64_t app_monotonic(const struct reading *r) {
    if (r->rate == 0) return r->base_app_ns;
    int64_t app = app_after(r, real_ns(CLOCK_MONOTONIC) - r->base_real_ns);
    return app < r->limit_app_ns ? app : r->limit_app_ns;
}

static int is_realtime(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

static int governed(clockid_t clock) {
    return is_realtime(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
           clock == CLOCK_BOOTTIME;
}

static int64_t app_ns(clockid_t clock) {
    struct reading r = look();
    int64_t now = app_monotonic(&r);
    return is_realtime(clock) ? now + r.realtime_offset_ns : now;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *t) {
    if (!page || !governed(clock)) return read_real(clock, t);
    from_ns(app_ns(clock), t);
    return 0;
}

EXPORT int gettimeofday(struct timeval *tv, void *zone) {
    struct timespec t;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    tv->tv_sec = t.tv_sec;
    tv->tv_usec = t.tv_nsec / 1000;
    return 0;
}

EXPORT time_t time(time_t *out) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) *out = t.tv_sec;
    return t.tv_sec;
}

/* ---- waiting ---- */

/* Real nanoseconds to wait before looking again, for a wait of which `left` app nanoseconds remain. */
static int64_t slice(int64_t left) {
    if (left <= 0) return 0;
    if (left >= NEAR_NS) return FAR_SLICE_NS;
    struct reading r = look();
    /* At the limit time stands; on a ramp the rate it began with is too low, its end too high. */
    int64_t rate = r.rate;
    if (r.ramp_ns && r.rate) {
        int64_t elapsed = real_ns(CLOCK_MONOTONIC) - r.base_real_ns;
        if (elapsed < 0) elapsed = 0;
        if (elapsed < r.ramp_ns) rate = r.from_rate + (int64_t)((__int128)(r.rate - r.from_rate) * elapsed / r.ramp_ns);
    }
    if (rate <= 0 || app_monotonic(&r) >= r.limit_app_ns) return NEAR_SLICE_NS;
    int64_t real = (int64_t)((__int128)left * ONE / rate) + 1;
    return real < NEAR_SLICE_NS ? real : NEAR_SLICE_NS;
}

/* Deadlines come without the name of their clock; app realtime is decades after 1970, app monotonic time is not. */
static clockid_t clock_of(int64_t deadline) { return deadline > 1000000000LL * NS ? CLOCK_REALTIME : CLOCK_MONOTONIC; }

/* A sleep of some length ends when that much app time has passed, or that much real time. In a browser such sleeps are the back-off of
 * its own locks: let them last as long as time is held, and whoever waits for such a lock (once in a few page loads it was the
 * renderer's main thread) answers nobody until the release. No page can tell, for what it sees of time is read from the clocks, and who
 * paces himself by sleeping (the recorder) looks at the clock again. A sleep until a moment is app time's alone. */
EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remain) {
    if (!page || !governed(clock)) return real_clock_nanosleep(clock, flags, request, remain);
    int absolute = flags & TIMER_ABSTIME;
    int64_t end = absolute ? to_ns(request) : app_ns(clock) + to_ns(request);
    int64_t real_end = real_ns(CLOCK_MONOTONIC) + to_ns(request);
    for (;;) {
        int64_t left = end - app_ns(clock), real_left = real_end - real_ns(CLOCK_MONOTONIC);
        struct timespec pause;
        if (left <= 0 || (!absolute && real_left <= 0)) return 0;
        int64_t part = slice(left);
        from_ns(!absolute && real_left < part ? real_left : part, &pause);
        int result = real_clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
        if (result) {
            if (remain && !absolute) from_ns(end - app_ns(clock), remain);
            return result;
        }
    }
}

EXPORT int nanosleep(const struct timespec *request, struct timespec *remain) {
    if (!page) return real_nanosleep(request, remain);
    int result = clock_nanosleep(CLOCK_MONOTONIC, 0, request, remain);
    if (!result) return 0;
    errno = result;
    return -1;
}

EXPORT int usleep(useconds_t us) {
    struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};
    return nanosleep(&t, NULL);
}

EXPORT unsigned int sleep(unsigned int s) {
    struct timespec t = {s, 0}, left = {0, 0};
    return nanosleep(&t, &left) ? (unsigned int)left.tv_sec : 0;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *deadline) {
    if (!page || !governed(clock)) return real_pthread_cond_clockwait(c, m, clock, deadline);
    int64_t left = to_ns(deadline) - app_ns(clock);
    if (left <= 0) return ETIMEDOUT;
    struct timespec until;
    from_ns(real_ns(clock) + slice(left), &until);
    int result = real_pthread_cond_clockwait(c, m, clock, &until);
    /* A slice that ran out is told as a spurious wake-up, which every caller must expect. */
    return result == ETIMEDOUT && app_ns(clock) < to_ns(deadline) ? 0 : result;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *deadline) {
    if (!page) return real_pthread_cond_timedwait(c, m, deadline);
    clockid_t clock = clock_of(to_ns(deadline));
    int64_t left = to_ns(deadline) - app_ns(clock);
    if (left <= 0) return ETIMEDOUT;
    struct timespec until;
    from_ns(real_ns(clock) + slice(left), &until);
    int result = real_pthread_cond_timedwait(c, m, &until);
    return result == ETIMEDOUT && app_ns(clock) < to_ns(deadline) ? 0 : result;
}

static int wait_semaphore(sem_t *s, clockid_t clock, const struct timespec *deadline) {
    for (;;) {
        int64_t left = to_ns(deadline) - app_ns(clock);
        struct timespec until;
        from_ns(real_ns(CLOCK_REALTIME) + (left > 0 ? slice(left) : 0), &until);
        int result = real_sem_timedwait(s, &until);
        if (result < 0 && errno == ETIMEDOUT && app_ns(clock) < to_ns(deadline)) continue;
        return result;
    }
}

EXPORT int sem_timedwait(sem_t *s, const struct timespec *deadline) {
    return page ? wait_semaphore(s, CLOCK_REALTIME, deadline) : real_sem_timedwait(s, deadline);
}

EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *deadline) {
    if (!page || !governed(clock)) return real_sem_clockwait(s, clock, deadline);
    return wait_semaphore(s, clock, deadline);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    if (!page || !timeout || to_ns(timeout) == 0) return real_ppoll(fds, count, timeout, mask);
    int64_t end = app_ns(CLOCK_MONOTONIC) + to_ns(timeout);
    for (;;) {
        struct timespec pause;
        from_ns(slice(end - app_ns(CLOCK_MONOTONIC)), &pause);
        int result = real_ppoll(fds, count, &pause, mask);
        if (result != 0 || app_ns(CLOCK_MONOTONIC) >= end) return result;
    }
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
    if (!page || timeout_ms <= 0) return real_poll(fds, count, timeout_ms);
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000L};
    return ppoll(fds, count, &timeout, NULL);
}

EXPORT int pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *timeout, const sigset_t *mask) {
    if (!page || !timeout || to_ns(timeout) == 0) return real_pselect(n, r, w, x, timeout, mask);
    int64_t end = app_ns(CLOCK_MONOTONIC) + to_ns(timeout);
    fd_set r0, w0, x0;
    if (r) r0 = *r;
    if (w) w0 = *w;
    if (x) x0 = *x;
    for (;;) {
        struct timespec pause;
        from_ns(slice(end - app_ns(CLOCK_MONOTONIC)), &pause);
        int result = real_pselect(n, r, w, x, &pause, mask);
        if (result != 0 || app_ns(CLOCK_MONOTONIC) >= end) return result;
        /* A call that timed out has emptied the sets. */
        if (r) *r = r0;
        if (w) *w = w0;
        if (x) *x = x0;
    }
}

EXPORT int select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *timeout) {
    if (!page || !timeout || (timeout->tv_sec == 0 && timeout->tv_usec == 0)) return real_select(n, r, w, x, timeout);
    struct timespec t = {timeout->tv_sec, timeout->tv_usec * 1000};
    return pselect(n, r, w, x, &t, NULL);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask) {
    if (!page || timeout_ms <= 0) return real_epoll_pwait(epoll, events, most, timeout_ms, mask);
    int64_t end = app_ns(CLOCK_MONOTONIC) + timeout_ms * 1000000LL;
    for (;;) {
        int64_t pause = slice(end - app_ns(CLOCK_MONOTONIC));
        int result;
        if (pause % 1000000LL && pause < 5000000LL) {
            /* Whole milliseconds would be late at a fast pace; an epoll descriptor can itself be polled with nanoseconds. */
            struct pollfd fd = {epoll, POLLIN, 0};
            struct timespec t;
            from_ns(pause, &t);
            result = real_ppoll(&fd, 1, &t, mask);
            if (result > 0) result = real_epoll_pwait(epoll, events, most, 0, mask);
        } else {
            result = real_epoll_pwait(epoll, events, most, (int)(pause / 1000000), mask);
        }
        if (result != 0 || app_ns(CLOCK_MONOTONIC) >= end) return result;
    }
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms) {
    if (!page || timeout_ms <= 0) return real_epoll_wait(epoll, events, most, timeout_ms);
    return epoll_pwait(epoll, events, most, timeout_ms, NULL);
}

/* A kernel timer can't be re-computed while it runs: it is set as the clock goes now. Fired early (the pace fell meanwhile), its owner
 * finds its deadline not reached and sets it again; fired late (the pace rose), it is late once. */
EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *new_value, struct itimerspec *old_value) {
    if (!page || to_ns(&new_value->it_value) == 0) return real_timerfd_settime(fd, flags, new_value, old_value);
    struct reading r = look();
    int64_t rate = r.rate > 0 ? r.rate : ONE;
    int64_t value = to_ns(&new_value->it_value), every = to_ns(&new_value->it_interval);
    int64_t left = (flags & TFD_TIMER_ABSTIME) ? value - app_ns(clock_of(value)) : value;
    struct itimerspec real;
    int64_t real_left = left > 0 ? (int64_t)((__int128)left * ONE / rate) : 1;
    from_ns(real_left > 0 ? real_left : 1, &real.it_value);
    from_ns((int64_t)((__int128)every * ONE / rate), &real.it_interval);
    return real_timerfd_settime(fd, flags & ~TFD_TIMER_ABSTIME & ~TFD_TIMER_CANCEL_ON_SET, &real, old_value);
}
