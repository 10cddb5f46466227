// Instant bots, as cheap as a bot can be, so that a benchmark measures the referee and not its bots.
//
//   bots GAMES_AT_ONCE ADDRESS TOKEN [ADDRESS TOKEN]...
//
// One thread holds one connection for each pair of an address and a token, and answers every ask with one of its steps, taken by
// lot. A line on standard input is answered with a line of two numbers: asks answered so far, and
// streams that have ended. The end of standard input ends the program.
//
// Needs nothing but a C++17 compiler and Linux: of HTTP/2 and protobuf it speaks just what one gRPC
// stream on a loopback connection takes. It decodes no headers, so whatever ends a stream is only counted.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// Protobuf: a message is a row of (field number, wire type, value).

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

void put_number(std::string& out, int field, uint64_t value) {
  put_varint(out, field << 3);
  put_varint(out, value);
}

void put_bytes(std::string& out, int field, std::string_view bytes) {
  put_varint(out, field << 3 | 2);
  put_varint(out, bytes.size());
  out += bytes;
}

struct Fields {
  std::string_view rest;
  int field = 0;
  uint64_t number = 0;     // of a field of wire type 0
  std::string_view bytes{};  // of a field of wire type 2

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; !rest.empty(); shift += 7) {
      uint64_t byte = static_cast<unsigned char>(rest.front());
      rest.remove_prefix(1);
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  }

  bool next() {
    if (rest.empty()) return false;
    uint64_t tag = varint();
    field = static_cast<int>(tag >> 3);
    switch (tag & 7) {
      case 0: number = varint(); break;
      case 1: rest.remove_prefix(8); break;
      case 2:
        bytes = rest.substr(0, varint_length());
        rest.remove_prefix(bytes.size());
        break;
      case 5: rest.remove_prefix(4); break;
    }
    return true;
  }

 private:
  uint64_t varint_length() {
    uint64_t length = varint();
    return length <= rest.size() ? length : rest.size();
  }
};

// The bot.

uint64_t answered = 0;
int ended = 0;

uint64_t lot(uint64_t below) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % below;
}

void answer_ask(std::string& request, std::string_view ask) {
  static std::vector<uint64_t> steps;
  static std::string packed, answer;
  uint64_t game = 0, number = 0;
  steps.clear();
  for (Fields f{ask}; f.next();) {
    if (f.field == 1) game = f.number;
    if (f.field == 2) number = f.number;
    if (f.field == 5)
      for (Fields list{f.bytes}; !list.rest.empty();) steps.push_back(list.varint());
  }
  if (steps.empty()) return;
  packed.clear();
  put_varint(packed, steps[lot(steps.size())]);
  answer.clear();
  put_number(answer, 1, game);
  put_number(answer, 2, number);
  put_bytes(answer, 3, packed);
  put_bytes(request, 2, answer);
  ++answered;
}

// Returns the PlayRequest that answers a PlayResponse; empty if there is nothing to say.
std::string_view reply(std::string_view response) {
  static std::string request, ready;
  request.clear();
  for (Fields f{response}; f.next();) {
    if (f.field == 1) answer_ask(request, f.bytes);
    if (f.field == 3) {
      ready.clear();
      for (Fields offer{f.bytes}; offer.next();)
        if (offer.field == 1) put_number(ready, 1, offer.number);
      put_bytes(request, 3, ready);
    }
  }
  return request;
}

std::string hello(int games_at_once) {
  std::string hello, request;
  put_bytes(hello, 1, "instant");
  put_bytes(hello, 4, "C++");
  put_number(hello, 6, games_at_once);
  put_bytes(request, 1, hello);
  return request;
}

// HTTP/2: one connection with one stream, number 1.

enum Frame { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum Flag { ACK = 1, END_STREAM = 1, END_HEADERS = 4, PADDED = 8 };
constexpr size_t FRAME_HEADER = 9, GRPC_HEADER = 5, MAX_FRAME = 16384;
constexpr uint32_t STREAM = 1, MAX_WINDOW = 0x7fffffff, FIRST_WINDOW = 65535, REFILL = 1 << 20;
constexpr int INITIAL_WINDOW_SIZE = 4;

void put_u32(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

uint32_t u32(const char* at) {
  auto b = reinterpret_cast<const unsigned char*>(at);
  return uint32_t{b[0]} << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

void put_frame(std::string& out, Frame type, int flags, uint32_t stream, std::string_view payload) {
  put_u32(out, static_cast<uint32_t>(payload.size()) << 8 | type);
  out += static_cast<char>(flags);
  put_u32(out, stream);
  out += payload;
}

void put_window(std::string& out, uint32_t stream, uint32_t more) {
  std::string payload;
  put_u32(payload, more);
  put_frame(out, WINDOW_UPDATE, 0, stream, payload);
}

// A header in the plainest of HPACK's forms: not indexed, not compressed.
void put_header(std::string& block, std::string_view name, std::string_view value) {
  block += '\0';
  for (std::string_view text : {name, value}) {
    if (text.size() < 127) {
      block += static_cast<char>(text.size());
    } else {
      block += 127;
      put_varint(block, text.size() - 127);
    }
    block += text;
  }
}

class Connection {
 public:
  Connection(const std::string& address, const std::string& token, int games_at_once) {
    auto colon = address.rfind(':');
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(std::atoi(address.c_str() + colon + 1)));
    inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) < 0) fail("connect");
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

    std::string settings, headers;
    settings += '\0';
    settings += static_cast<char>(INITIAL_WINDOW_SIZE);
    put_u32(settings, MAX_WINDOW);
    put_header(headers, ":method", "POST");
    put_header(headers, ":scheme", "http");
    put_header(headers, ":path", "/parcheesi.v1.BotGateway/Play");
    put_header(headers, ":authority", address);
    put_header(headers, "te", "trailers");
    put_header(headers, "content-type", "application/grpc");
    put_header(headers, "authorization", "Bearer " + token);
    out = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    put_frame(out, SETTINGS, 0, 0, settings);
    put_window(out, 0, MAX_WINDOW - FIRST_WINDOW);
    put_frame(out, HEADERS, END_HEADERS, STREAM, headers);
    say(hello(games_at_once));
    send_out();
  }

  // Reads what is there and answers it. Returns false when the connection has ended.
  bool readable() {
    char buffer[65536];
    ssize_t got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    in.append(buffer, got);
    std::string_view rest = in;
    while (rest.size() >= FRAME_HEADER) {
      size_t length = u32(rest.data()) >> 8;
      if (rest.size() < FRAME_HEADER + length) break;
      auto type = static_cast<unsigned char>(rest[3]);
      auto flags = static_cast<unsigned char>(rest[4]);
      uint32_t stream = u32(rest.data() + 5);
      if (!frame(type, flags, stream, rest.substr(FRAME_HEADER, length))) return false;
      rest.remove_prefix(FRAME_HEADER + length);
    }
    in.erase(0, in.size() - rest.size());
    send_out();
    return true;
  }

  int fd;

 private:
  bool frame(int type, int flags, uint32_t stream, std::string_view payload) {
    switch (type) {
      case DATA: data(flags, payload); return !(flags & END_STREAM);
      case HEADERS: return !(flags & END_STREAM);
      case RST_STREAM: case GOAWAY: return false;
      case SETTINGS: settings(flags, payload); break;
      case PING: if (!(flags & ACK)) put_frame(out, PING, ACK, 0, payload); break;
      case WINDOW_UPDATE: (stream ? stream_window : window) += u32(payload.data()) & MAX_WINDOW; break;
    }
    say_more();
    return true;
  }

  void settings(int flags, std::string_view payload) {
    if (flags & ACK) return;
    for (; payload.size() >= 6; payload.remove_prefix(6)) {
      if (payload[0] == 0 && payload[1] == INITIAL_WINDOW_SIZE) {
        int64_t size = u32(payload.data() + 2);
        stream_window += size - initial_window;
        initial_window = size;
      }
    }
    put_frame(out, SETTINGS, ACK, 0, "");
  }

  void data(int flags, std::string_view payload) {
    taken += payload.size();
    if (taken >= REFILL) {
      put_window(out, 0, taken);
      put_window(out, STREAM, taken);
      taken = 0;
    }
    if (flags & PADDED) payload = payload.substr(1, payload.size() - 1 - static_cast<unsigned char>(payload[0]));
    heard += payload;
    std::string_view rest = heard;
    while (rest.size() >= GRPC_HEADER) {
      size_t length = u32(rest.data() + 1);
      if (rest.size() < GRPC_HEADER + length) break;
      std::string_view request = reply(rest.substr(GRPC_HEADER, length));
      if (!request.empty()) say(request);
      rest.remove_prefix(GRPC_HEADER + length);
    }
    heard.erase(0, heard.size() - rest.size());
  }

  // Sends a message as soon as the windows let it.
  void say(std::string_view request) {
    saying += '\0';
    put_u32(saying, static_cast<uint32_t>(request.size()));
    saying += request;
    say_more();
  }

  void say_more() {
    while (!saying.empty() && window > 0 && stream_window > 0) {
      int64_t most = window < stream_window ? window : stream_window;
      if (most > static_cast<int64_t>(MAX_FRAME)) most = MAX_FRAME;
      std::string_view part = std::string_view(saying).substr(0, most);
      put_frame(out, DATA, 0, STREAM, part);
      window -= part.size();
      stream_window -= part.size();
      saying.erase(0, part.size());
    }
  }

  void send_out() {
    for (size_t sent = 0; sent < out.size();) {
      ssize_t now = send(fd, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
      if (now < 0) break;  // the next read tells that the connection has ended
      sent += now;
    }
    out.clear();
  }

  std::string in;      // received, not yet a whole frame
  std::string heard;   // of the stream, not yet a whole message
  std::string saying;  // messages that wait for the other side's windows
  std::string out;     // frames to be sent
  int64_t window = FIRST_WINDOW, stream_window = FIRST_WINDOW, initial_window = FIRST_WINDOW;
  uint32_t taken = 0;  // bytes of data not yet given back to our own windows
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4 || count % 2 != 0) {
    std::fprintf(stderr, "usage: bots GAMES_AT_ONCE ADDRESS TOKEN [ADDRESS TOKEN]...\n");
    return 2;
  }
  int poll = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  for (int i = 2; i < count; i += 2) {
    auto connection = new Connection(arguments[i], arguments[i + 1], std::atoi(arguments[1]));
    event.data.ptr = connection;
    epoll_ctl(poll, EPOLL_CTL_ADD, connection->fd, &event);
  }
  while (true) {
    epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < ready; ++i) {
      if (auto connection = static_cast<Connection*>(events[i].data.ptr)) {
        if (connection->readable()) continue;
        close(connection->fd);
        delete connection;
        ++ended;
      } else {
        char lines[64];
        if (read(STDIN_FILENO, lines, sizeof lines) <= 0) return 0;
        std::printf("%llu %d\n", static_cast<unsigned long long>(answered), ended);
        std::fflush(stdout);
      }
    }
  }
}
