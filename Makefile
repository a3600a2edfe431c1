# Every command of this project. `make help` lists them.
#
# Layout of build/: obj/ objects, gen/ generated sources, firstboot the product, unit_tests its unit
# tests; build/san/ is the same with ASan and UBSan (SAN=1).

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# A clone elsewhere finds the same objects again: the folder is not part of what ccache compares.
export CCACHE_NOHASHDIR := 1
export CCACHE_BASEDIR := $(CURDIR)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash

include mk/libs.mk

# Room roots, in no special order. Which may include which is said in ARROWS.
ROOTS := app founder installer member ctl hwdiscovery ui-tty common

B := $(if $(SAN),build/san,build)

# ---- dependencies -------------------------------------------------------------------------------
# build/deps.mk is remade when a recipe or the package list changed, or when the cache went away;
# make then reads it anew. `make help` and `make clean` do without.
NO_DEPS_GOALS := help clean
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(NO_DEPS_GOALS),$(MAKECMDGOALS)),all),)
include build/deps.mk
endif

DEPS_INPUTS := $(wildcard third_party/build third_party/fetch third_party/packages \
               third_party/recipes/* third_party/patches/*/*) third_party/steps.sh mk/install-packages mk/deps
ifeq ($(wildcard $(or $(DEPS),/nowhere)/lib),)
.PHONY: deps-gone
build/deps.mk: deps-gone
endif
build/deps.mk: $(DEPS_INPUTS)
	@mk/deps $@

# ---- compiling ----------------------------------------------------------------------------------
CXX := g++
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
CPPFLAGS = -I. -Ibuild/gen $(LIB_DEFINES) $(LIB_INCLUDES)
ifdef SAN
CXXFLAGS := -std=c++20 -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
            -fno-omit-frame-pointer -fPIE $(WARNINGS)
TEST_LDFLAGS := -pie -fsanitize=address,undefined
else
CXXFLAGS := -std=c++20 -Os -g1 -fPIE -fstack-protector-strong -ffunction-sections -fdata-sections \
            -D_FORTIFY_SOURCE=2 $(WARNINGS)
TEST_LDFLAGS := -pie
endif
PRODUCT_LDFLAGS := -static-pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack -Wl,--gc-sections \
                   -Wl,--build-id

obj = $(patsubst %.cpp,$(B)/obj/%.o,$(1))
ROOM_SOURCES := $(shell find $(wildcard $(ROOTS)) -name '*.cpp' 2>/dev/null | LC_ALL=C sort)
TEST_SOURCES := tests/main.cpp $(shell find $(wildcard tests/fakes $(ROOTS:%=tests/%)) -name '*.cpp' \
                2>/dev/null | LC_ALL=C sort)

# Other flags make other objects. Two makes in one tree compile an object one after the other, and
# the second finds it in the cache.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CXX) $(LIB_DEFINES) $(CXXFLAGS)' | cmp -s - $@ || \
	    echo '$(CXX) $(LIB_DEFINES) $(CXXFLAGS)' > $@

$(B)/obj/%.o: %.cpp build/deps.key $(B)/flags
	@mkdir -p $(@D)
	@echo "  compile $<"
	@flock $@.lock $(CCACHE) $(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

# Programs of tests that are no unit tests.
TOOL_SOURCES := tests/fuzz/fuzz.cpp tests/fuzz/compat.cpp tests/fuzz/hardware.cpp tests/images/read_images.cpp tests/bench/approvals.cpp
-include $(patsubst %.o,%.d,$(call obj,$(ROOM_SOURCES) $(TEST_SOURCES) $(TOOL_SOURCES)))

GENERATED := build/gen/app/version_data.hpp build/gen/embedded/openapi_yaml.hpp \
             build/gen/embedded/pins_yaml.hpp

# The commit and the libraries' versions; rewritten only where they changed.
build/gen/app/version_data.hpp: FORCE
	@mk/version-data $(DEPS) $@
$(B)/obj/app/version.o: build/gen/app/version_data.hpp

# The API's description stands inside the binary, which serves it.
build/gen/embedded/openapi_yaml.hpp: docs/openapi.yaml mk/embed
	@mk/embed $< kOpenapiYaml $@
$(B)/obj/founder/api/openapi.o: build/gen/embedded/openapi_yaml.hpp

# So do the pins.
build/gen/embedded/pins_yaml.hpp: image/pins.yaml mk/embed
	@mk/embed $< kPinsYaml $@
$(B)/obj/common/compat/build_pins.o: build/gen/embedded/pins_yaml.hpp

# ---- the product --------------------------------------------------------------------------------
PRODUCT_LIMIT_BYTES := 8000000

all: build/firstboot build/stratumctl compile_commands.json ## Build build/firstboot and its second name, build/stratumctl.

build/firstboot: $(patsubst %.cpp,build/obj/%.o,$(ROOM_SOURCES)) mk/link mk/libs.mk
	@echo "  link $@"
	@mk/link $(CXX) $(PRODUCT_LDFLAGS) $(filter %.o,$^) -L$(DEPS)/lib $(LDLIBS) -o $@.full
	@objcopy --only-keep-debug $@.full $@.debug
	@strip -o $@.new $@.full
	@objcopy --add-gnu-debuglink=$@.debug $@.new
	@mk/product-check $@.new $(PRODUCT_LIMIT_BYTES)
	@rm -f $@.full && mv $@.new $@

build/stratumctl: | build/firstboot
	@ln -sfn firstboot $@

compile_commands.json: Makefile mk/libs.mk build/deps.key build/sources.list
	@printf '%s\n' $(ROOM_SOURCES) $(TEST_SOURCES) | \
	    mk/compile-commands '$(CXX) $(CPPFLAGS) $(CXXFLAGS)' > $@.new && mv $@.new $@

# Changes only when files come or go.
build/sources.list: FORCE
	@mkdir -p build
	@printf '%s\n' $(ROOM_SOURCES) $(TEST_SOURCES) | cmp -s - $@ || \
	    printf '%s\n' $(ROOM_SOURCES) $(TEST_SOURCES) > $@

# ---- tests --------------------------------------------------------------------------------------
# make test-unit                      all rooms
# make test-unit ROOM=common/base     one room, linked with only the rooms that it may include
# make test-unit ROOM=founder/store WITH=founder   the tests of one folder, with its whole room
# make test-unit T=Pairing            only groups whose name has that in it
ifdef ROOM
UNIT_SOURCES := tests/main.cpp $(shell mk/room_sources $(ROOM) $(WITH))
UNIT := $(B)/unit_tests.$(subst /,.,$(ROOM))
else
UNIT_SOURCES := $(filter-out app/main.cpp,$(ROOM_SOURCES)) $(TEST_SOURCES)
UNIT := $(B)/unit_tests
endif

$(UNIT): $(call obj,$(UNIT_SOURCES)) mk/libs.mk
	@echo "  link $@"
	@$(CXX) $(TEST_LDFLAGS) -Wl,--gc-sections $(filter %.o,$^) -L$(DEPS)/lib \
	    -l:libCppUTestExt.a -l:libCppUTest.a $(LDLIBS) -o $@

unit-tests: $(UNIT)

# Every reader, fed with broken input (tests/fuzz/run).
FUZZ_SOURCES := tests/fuzz/fuzz.cpp tests/fuzz/compat.cpp tests/fuzz/hardware.cpp tests/hwdiscovery/disk_images.cpp
$(B)/fuzz: $(call obj,$(FUZZ_SOURCES) $(filter-out app/main.cpp,$(ROOM_SOURCES))) mk/libs.mk
	@echo "  link $@"
	@$(CXX) $(TEST_LDFLAGS) -Wl,--gc-sections $(filter %.o,$^) -L$(DEPS)/lib $(LDLIBS) -o $@

# The store's part of an approval (tests/bench/run approvals).
build/bench_approvals: $(call obj,tests/bench/approvals.cpp $(filter-out app/main.cpp,$(ROOM_SOURCES))) mk/libs.mk
	@echo "  link $@"
	@$(CXX) $(TEST_LDFLAGS) -Wl,--gc-sections $(filter %.o,$^) -L$(DEPS)/lib $(LDLIBS) -o $@

# Image files read as discovery reads disks (tests/images).
build/read_images: $(call obj,tests/images/read_images.cpp $(filter-out app/main.cpp,$(ROOM_SOURCES))) mk/libs.mk
	@echo "  link $@"
	@$(CXX) $(TEST_LDFLAGS) -Wl,--gc-sections $(filter %.o,$^) -L$(DEPS)/lib $(LDLIBS) -o $@

test-unit: $(UNIT) ## Run the unit tests (ROOM=common/base: one room; T=Name: groups with that name; SAN=1: with ASan and UBSan).
	@mk/run-unit $(UNIT) $(if $(SAN),test-unit-san,test-unit) $(if $(ROOM)$(T),partial,whole) $(T)

# Each rule of the tables changed, by the linker, in the tests' own binary (tests/mutation/run).
ifeq ($(ROOM),common/config)
build/mutants: $(call obj,$(UNIT_SOURCES) tests/mutation/mutants.cpp) mk/libs.mk
	@echo "  link $@"
	@$(CXX) $(TEST_LDFLAGS) -Wl,--gc-sections \
	    -Wl,--wrap=_ZN7stratum6config14approval_rulesEv \
	    -Wl,--wrap=_ZN7stratum6config15node_yaml_rulesEv \
	    -Wl,--wrap=_ZN7stratum6config18founder_yaml_rulesEv \
	    $(filter %.o,$^) -L$(DEPS)/lib \
	    -l:libCppUTestExt.a -l:libCppUTest.a $(LDLIBS) -o $@
endif

test-mutants: ## Change each rule of the tables in turn, and see a unit test turn red.
	@$(MAKE) ROOM=common/config build/mutants && mk/runner tests/mutation/run

# Suites that run the product. Each runner ends with a line `N passed, N failed`.
test-join: all ## Run whole joins between processes, without a VM.
	@mk/runner tests/join/run

test-api: all ## Walk the description of the approval, statement by statement.
	@mk/runner tests/api/run

test-client: all ## Drive the founder from its description by foreign clients, and feed its routes what is wrong.
	@mk/runner tests/client/run

test-images: all build/read_images ## Read images of disks: util-linux's own, leftovers, read errors.
	@mk/runner tests/images/run

test-vm: all image ## Boot the image in virtual machines and join them.
	@mk/runner tests/vm/run

test: ## Run all that CI runs: check, unit tests (plain and SAN=1), joins, clients, VMs; the last line is the sum.
	@mk/run-suites 'check=$(MAKE) check' 'test-unit=$(MAKE) test-unit' \
	    'test-unit-san=$(MAKE) SAN=1 test-unit' 'test-join=$(MAKE) test-join' \
	    'test-api=$(MAKE) test-api' 'test-client=$(MAKE) test-client' \
	    'test-images=$(MAKE) test-images' 'test-fuzz=SEED=1 SECONDS_EACH=1 $(MAKE) fuzz' \
	    'test-vm=$(MAKE) test-vm'

test-long: compile_commands.json $(GENERATED) build/print_docs ## Run what needs longer than CI has: the whole tree through clang-tidy, and each suite's long run.
	@mk/run-suites 'check=mk/check --all' 'test-join-long=$(MAKE) all && mk/runner tests/join/run --long' \
	    'test-client-long=$(MAKE) all && mk/runner tests/client/run --long' \
	    'test-fuzz-long=SECONDS_EACH=60 $(MAKE) fuzz' \
	    'test-vm-long=$(MAKE) all image && mk/runner tests/vm/run --long' \
	    'test-mutants=$(MAKE) test-mutants'

# ---- checks -------------------------------------------------------------------------------------
# Prints the documents that are made from the tables of common/config.
PRINTER_SOURCES := mk/print_docs.cpp $(filter common/config/% common/facts/% common/base/%,$(ROOM_SOURCES))
-include build/obj/mk/print_docs.d
build/print_docs: $(PRINTER_SOURCES:%.cpp=build/obj/%.o) mk/libs.mk
	@echo "  link $@"
	@$(CXX) -pie -Wl,--gc-sections $(filter %.o,$^) -L$(DEPS)/lib $(LDLIBS) -o $@

docs: build/print_docs ## Write docs/rules.md, docs/node-yaml.md's tables and its schema from the code.
	@mk/docs $<

check: compile_commands.json $(GENERATED) build/print_docs ## Check format, arrows, scripts and, by clang-tidy, what changed.
	@mk/check

arrows: ## Check alone that rooms include only what ARROWS allows.
	@mk/check-arrows

# ---- what is made of it -------------------------------------------------------------------------
deps: build/deps.mk ## Install missing packages (as root) and build the libraries.
	@echo "deps: $(DEPS)"

image: all ## Build the appliance image with the product in it.
	@mk/runner image/build

demo: all image ## Boot a machine in QEMU and watch it join a founder (AUTO=1: approve by itself).
	@mk/runner image/demo/run

bench: all build/bench_approvals ## Measure size, start, memory and speed, and write docs/measured/.
	@mk/runner tests/bench/run

fuzz: all ## Feed broken input to the readers for a while.
	@mk/runner tests/fuzz/run

sbom: build/firstboot ## Write build/sbom.cdx.json, what is inside the product, in CycloneDX form.
	@mk/sbom $(DEPS) $< build/sbom.cdx.json

clean: ## Remove build/; the libraries stay in the cache.
	rm -rf build compile_commands.json

help: ## Say what each command does.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

.PHONY: all docs unit-tests test-unit test-images test-join test-api test-vm test test-long check arrows deps image \
        demo bench fuzz sbom clean help FORCE
FORCE:
