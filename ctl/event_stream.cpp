#include "ctl/event_stream.hpp"

namespace stratum::ctl {
namespace {

std::string_view value_of(std::string_view text, std::size_t colon) {
    if (colon == std::string_view::npos) return {};
    text.remove_prefix(colon + 1);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return text;
}

} // namespace

void EventReader::feed(std::string_view piece) {
    rest_.append(piece);
    std::size_t begin = 0;
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
        std::string_view one(rest_.data() + begin, end - begin);
        if (!one.empty() && one.back() == '\r') one.remove_suffix(1);
        line(one);
        begin = end + 1;
    }
    rest_.erase(0, begin);
}

void EventReader::line(std::string_view text) {
    if (text.empty()) {
        last_id_ = id_;
        if (has_data_) {
            if (event_.name.empty()) event_.name = "message";
            on_event_(event_);
        }
        event_ = {};
        has_data_ = false;
        return;
    }
    const auto colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const std::string_view value = value_of(text, colon);
    if (name == "event") event_.name = value;
    if (name == "id" && value.find('\0') == std::string_view::npos) id_ = value;
    if (name != "data") return;
    if (has_data_) event_.data += "\n";
    event_.data += value;
    has_data_ = true;
}

} // namespace stratum::ctl
