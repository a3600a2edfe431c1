#include "ctl/members.hpp"

#include "common/base/text.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

std::vector<Node> members_of(const Node& answer) {
    const Node* members = answer.find("members");
    return members == nullptr ? std::vector<Node>() : members->items();
}

std::string wait_of(const Node& member) {
    const Node* removal = member.find("removal");
    return removal == nullptr ? "-" : cell(*removal, "waitReason");
}

std::string texts_of(const Node& member, const char* name) {
    std::vector<std::string> texts;
    if (const Node* list = member.find(name))
        for (const Node& one : list->items()) texts.push_back(one.as_string());
    return texts.empty() ? "-" : join(texts, ", ");
}

// Why it is not well, or what its removal waits for.
std::string why_of(const Node& member) {
    const std::string wait = wait_of(member);
    return wait == "-" ? texts_of(member, "complaints") : wait;
}

} // namespace

std::string members_table(const Node& answer) {
    std::vector<Row> rows;
    for (const Node& member : members_of(answer))
        rows.push_back(
            {cell(member, "nodeId"), cell(member, "name"), cell(member, "role"),
             cell(member, "status"), cell(member, "mgmtAddress"), cell(member, "generationApplied"),
             short_time(cell(member, "lastHeartbeat")), cell(member, "healthy"), why_of(member)});
    return render(
        {"NODE", "NAME", "ROLE", "STATUS", "MGMT", "GENERATION", "HEARD", "HEALTHY", "WHY"}, rows);
}

Result<Node> find_member(const Node& answer, const std::string& typed) {
    const std::vector<Node> members = members_of(answer);
    for (const char* name : {"nodeId", "name"})
        for (const Node& member : members)
            if (cell(member, name) == typed && typed != "-") return member;
    std::vector<std::string> there;
    there.reserve(members.size());
    for (const Node& member : members)
        there.push_back(cell(member, "name") + " (" + cell(member, "nodeId") + ")");
    return fail(ErrorCode::kNotFound, "there is no member “" + to_valid_utf8(typed) +
                                          "”; there are " + join(there, ", "));
}

std::string removal_warning(const Node& member) {
    return "node " + cell(member, "name") + " (" + cell(member, "nodeId") + "), " +
           cell(member, "role") + ", mgmt " + cell(member, "mgmtAddress") + ", last heard from " +
           short_time(cell(member, "lastHeartbeat")) +
           "\n  it stops being a member; its name, its place and its addresses (" +
           texts_of(member, "addresses") +
           ") are free for others\n  its disks keep what they hold, and services that run on it "
           "are not stopped: take them off it first\n";
}

std::string removal_line(const Node& member) {
    return cell(member, "name") + " is " + cell(member, "status") + ": " + wait_of(member);
}

} // namespace stratum::ctl
