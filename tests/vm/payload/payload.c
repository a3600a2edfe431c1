/* The empty payload: what stands in firstboot's place where a test is about the image alone, and what
 * its start is measured against. It clears each console and prints one line on it, with the seconds
 * since the kernel started, and then gives back every line that is typed. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const kPaths[] = {"/dev/tty1", "/dev/ttyS0"};
enum { kConsoles = 2, kLineBytes = 256 };

static void say(int console, const char *text, const char *more)
{
    char line[2 * kLineBytes];
    int length = snprintf(line, sizeof line, "%s%s\r\n", text, more);
    if (length > 0 && write(console, line, (size_t)length) < 0)
        return; /* a console that is gone is no reason to end */
}

int main(void)
{
    struct pollfd consoles[kConsoles];
    struct timespec now;
    char text[kLineBytes];
    clock_gettime(CLOCK_BOOTTIME, &now);
    for (int i = 0; i < kConsoles; i++) {
        consoles[i].fd = open(kPaths[i], O_RDWR | O_NOCTTY | O_CLOEXEC);
        consoles[i].events = POLLIN;
        snprintf(text, sizeof text, "\033[H\033[2Jpayload started on %s at %ld.%02ld s", kPaths[i],
                 (long)now.tv_sec, now.tv_nsec / 10000000);
        say(consoles[i].fd, text, "");
    }
    while (poll(consoles, kConsoles, -1) > 0) {
        for (int i = 0; i < kConsoles; i++) {
            if (!(consoles[i].revents & POLLIN))
                continue;
            ssize_t length = read(consoles[i].fd, text, sizeof text - 1);
            if (length <= 0)
                continue;
            text[length] = '\0';
            text[strcspn(text, "\r\n")] = '\0';
            say(consoles[i].fd, "payload read: ", text);
        }
    }
    return 1;
}
