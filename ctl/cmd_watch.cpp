// Follows one join, or all, as the founder's events come; a lost connection is taken up again.
#include <iostream>
#include <map>

#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/event_stream.hpp"
#include "ctl/paths.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

constexpr long kReconnectMs = 2'000;

// What a person needs to hear of a join: what is new against the last event of it.
class Teller {
public:
    explicit Teller(bool as_json) : as_json_(as_json) {}

    void tell(const Event& event) {
        const Parsed parsed = parse_json(event.data);
        if (!parsed.root) return;
        const Node& data = *parsed.root;
        if (as_json_) {
            Node line = Node::object();
            line.set("event", event.name);
            line.set("data", data);
            std::cout << write_json(line) << "\n" << std::flush;
        } else if (event.name == "log") {
            say(short_time(cell(data, "at")) + "  | " + cell(data, "line"));
        } else {
            tell_join(data);
        }
        if (event.name == "join") last_state_ = cell(data, "state");
    }

    [[nodiscard]] const std::string& last_state() const { return last_state_; }

private:
    static void say(const std::string& text) {
        std::cout << to_valid_utf8(text) << "\n" << std::flush;
    }

    void tell_join(const Node& join) {
        const std::string id = cell(join, "id");
        std::string line = id + "  " + cell(join, "state");
        for (const char* name : {"pairingCode", "name", "waitReason", "failedStepTitle",
                                 "failedError", "endedReason"}) {
            if (const std::string text = cell(join, name); text != "-")
                line.append("  ").append(text);
        }
        if (said_[id] != line) say(line);
        said_[id] = line;
        const Node* steps = join.find("steps");
        if (steps == nullptr) return;
        for (const Node& step : steps->items()) {
            const std::string status = cell(step, "status");
            if (status == "pending") continue;
            std::string& said = said_[id + "/" + cell(step, "name")];
            if (said == status) continue;
            said = status;
            std::string told = id;
            told.append("    ").append(status).append("  ").append(cell(step, "title"));
            say(told);
        }
    }

    bool as_json_;
    std::map<std::string, std::string> said_;
    std::string last_state_;
};

bool is_over(const std::string& state) {
    return state == "joined" || state == "rejected" || state == "expired";
}

int watch(const Arguments& arguments) {
    const bool is_one = arguments.has("JOIN-ID");
    const auto path = is_one ? path_of(arguments, kJoinId, "/v1/admin/cluster/joins", "/events")
                             : Result<std::string>("/v1/admin/cluster/events");
    if (!path) return say_error(path.error());
    const auto client = AdminClient::open(arguments);
    if (!client) return say_error(client.error());
    const int stop = stop_descriptor();
    Teller teller(arguments.has("--json"));
    std::string last_id; // what was told already is not told again
    while (true) {
        EventReader reader([&](const Event& event) { teller.tell(event); });
        link::HttpRequest request;
        request.path = *path;
        request.headers.emplace_back("Accept", "text/event-stream");
        if (!last_id.empty()) request.headers.emplace_back("Last-Event-ID", last_id);
        const auto answer = (*client)->stream(request, [&](std::string_view piece) {
            reader.feed(piece);
            return !wait_for_stop(stop, 0);
        });
        if (!reader.last_id().empty()) last_id = reader.last_id();
        if (answer && answer->status != 200) {
            return say_problem(link::read_problem(answer->status, answer->body));
        }
        if (is_one && is_over(teller.last_state())) {
            return teller.last_state() == "joined" ? kExitOk : kExitFailed;
        }
        if (!answer) std::cerr << "stratumctl: " << answer.error().message << "; trying again\n";
        if (wait_for_stop(stop, kReconnectMs)) return kExitOk;
    }
}

} // namespace

CommandSpec watch_command() {
    return {.path = "admin joins watch",
            .summary = "Follow the joins, or one join to its end, as it happens",
            .details = "With a join's id: ends with 0 when it is joined, 1 when it is over "
                       "otherwise. Without: until stopped.",
            .arguments = {{"JOIN-ID", "The join, as listed: nj-…; all without it", false}},
            .options = with_common({}),
            .example = "stratumctl admin joins watch nj-8w2k4m1p",
            .run = watch};
}

} // namespace stratum::ctl
