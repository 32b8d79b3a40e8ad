/* Screen pixels to the encoder's colours in a third of the time, for the recorder's ffmpeg only.
 *
 * libswscale turns 32-bit screen pixels into planar YUV 4:2:0 one pixel at a time: that was half of what filming costs. Preloaded into
 * ffmpeg, this library answers `sws_scale_frame` for just that conversion, written so that the compiler makes vector code of it, and hands
 * every other call on. The figures are libswscale's own for this pair of formats: BT.601, limited range, rounded; the colour of a block is
 * the mean of its four pixels.
 *
 * Only the first members of AVFrame are used, whose place is part of the ABI of every libavutil since 2015 (version 55); formats are asked
 * for by name, as their numbers differ between builds. Where a name is not known, nothing is done here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct frame { /* how AVFrame begins */
    uint8_t *data[8];
    int linesize[8];
    uint8_t **extended_data;
    int width, height, nb_samples, format;
};

typedef int (*scale_frame)(void *context, struct frame *to, const struct frame *from);
typedef int (*format_by_name)(const char *name);

#if defined(__x86_64__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define CLONES
#endif

/* 15-bit fractions of BT.601 in limited range: 219/255 of luma, 224/255 of colour. */
#define ONE 15
enum { YR = 8414, YG = 16519, YB = 3208, UR = -4857, UG = -9535, UB = 14392, VR = 14392, VG = -12052, VB = -2340 };

CLONES static void luma(const uint32_t *restrict from, uint8_t *restrict to, int width)
{
    for (int x = 0; x < width; x++) {
        int32_t pixel = (int32_t)from[x];
        int32_t blue = pixel & 255, green = (pixel >> 8) & 255, red = (pixel >> 16) & 255;
        to[x] = (uint8_t)((YR * red + YG * green + YB * blue + (16 << ONE) + (1 << (ONE - 1))) >> ONE);
    }
}

/* Two rows of pixels to one of colour. Sums of four pixels, so two more bits. */
CLONES static void chroma(const uint32_t *restrict upper, const uint32_t *restrict lower, uint8_t *restrict u, uint8_t *restrict v, int half)
{
    for (int x = 0; x < half; x++) {
        uint32_t a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        /* Red and blue lie 16 bits apart: four of each add up without meeting. */
        uint32_t outer = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff);
        uint32_t inner = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
        int32_t blue = (int32_t)(outer & 0xffff), red = (int32_t)(outer >> 16), green = (int32_t)inner;
        u[x] = (uint8_t)((UR * red + UG * green + UB * blue + (128 << (ONE + 2)) + (1 << (ONE + 1))) >> (ONE + 2));
        v[x] = (uint8_t)((VR * red + VG * green + VB * blue + (128 << (ONE + 2)) + (1 << (ONE + 1))) >> (ONE + 2));
    }
}

static void convert(struct frame *to, const struct frame *from)
{
    for (int y = 0; y + 1 < from->height; y += 2) {
        const uint8_t *row = from->data[0] + (ptrdiff_t)y * from->linesize[0];
        const uint32_t *upper = (const uint32_t *)row, *lower = (const uint32_t *)(row + from->linesize[0]);
        uint8_t *bright = to->data[0] + (ptrdiff_t)y * to->linesize[0];
        luma(upper, bright, from->width);
        luma(lower, bright + to->linesize[0], from->width);
        chroma(upper, lower, to->data[1] + (ptrdiff_t)(y / 2) * to->linesize[1], to->data[2] + (ptrdiff_t)(y / 2) * to->linesize[2],
               from->width / 2);
    }
}

static int known(const char *name)
{
    format_by_name ask = (format_by_name)dlsym(RTLD_DEFAULT, "av_get_pix_fmt");
    return ask != NULL ? ask(name) : -1;
}

__attribute__((visibility("default"))) int sws_scale_frame(void *context, struct frame *to, const struct frame *from)
{
    static int screen = -2, film = -2; /* told once; two threads that ask at once are told the same */
    if (film == -2) {
        screen = known("bgr0");
        film = known("yuv420p");
    }
    if (screen >= 0 && from->format == screen && film >= 0 && to->format == film && to->data[0] != NULL && to->width == from->width &&
        to->height == from->height && from->width % 2 == 0 && from->height % 2 == 0) {
        convert(to, from);
        return from->height;
    }
    scale_frame next = (scale_frame)dlsym(RTLD_NEXT, "sws_scale_frame");
    return next != NULL ? next(context, to, from) : -38; /* AVERROR(ENOSYS) */
}
